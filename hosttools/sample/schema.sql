CREATE TABLE tenants (
  tenant TEXT NOT NULL PRIMARY KEY,
  name   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The primary key serves every look-up of one order and the list of all of a
-- tenant's orders.
CREATE TABLE orders (
  tenant         TEXT    NOT NULL,
  order_id       TEXT    NOT NULL,
  customer       TEXT    NOT NULL,
  summary        TEXT    NOT NULL,
  status         TEXT    NOT NULL CHECK (status IN ('pending', 'shipped', 'delivered', 'cancelled', 'refunded')),
  amount_cents   INTEGER NOT NULL CHECK (amount_cents > 0),
  refunded_cents INTEGER NOT NULL DEFAULT 0 CHECK (refunded_cents BETWEEN 0 AND amount_cents),
  currency       TEXT    NOT NULL,
  placed_on      TEXT    NOT NULL,
  note           TEXT    NOT NULL DEFAULT '',
  PRIMARY KEY (tenant, order_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX orders_by_status ON orders (tenant, status, order_id);

-- What was done to an order, by whom and why.
CREATE TABLE history (
  id       INTEGER PRIMARY KEY,
  tenant   TEXT NOT NULL,
  order_id TEXT NOT NULL,
  change   TEXT NOT NULL,
  caller   TEXT NOT NULL,
  reason   TEXT NOT NULL,
  at       TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M', 'now')),
  FOREIGN KEY (tenant, order_id) REFERENCES orders (tenant, order_id)
) STRICT;

CREATE INDEX history_by_tenant ON history (tenant, id);

CREATE TABLE notices (
  id        INTEGER PRIMARY KEY,
  tenant    TEXT NOT NULL,
  recipient TEXT NOT NULL,
  message   TEXT NOT NULL,
  caller    TEXT NOT NULL,
  at        TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M', 'now'))
) STRICT;

CREATE INDEX notices_by_tenant ON notices (tenant, id);
