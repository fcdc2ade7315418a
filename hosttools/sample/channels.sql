-- Where a tenant's notices go.
CREATE TABLE channels (
  tenant TEXT NOT NULL,
  name   TEXT NOT NULL,
  label  TEXT NOT NULL,
  PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;

INSERT INTO channels (tenant, name, label) VALUES
  ('acme', 'dispatch', 'Dispatch board'),
  ('acme', 'workshop', 'Workshop screen'),
  ('acme', 'office', 'Office'),
  ('globex', 'dock', 'Loading dock'),
  ('globex', 'front-desk', 'Front desk');

ALTER TABLE notices ADD COLUMN channel TEXT NOT NULL DEFAULT '';
ALTER TABLE notices ADD COLUMN sender TEXT NOT NULL DEFAULT '';
ALTER TABLE notices ADD COLUMN signature TEXT NOT NULL DEFAULT '';
