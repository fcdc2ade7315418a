-- +goose Up

-- The keys that a tenant's secrets are sealed with, each wrapped by a master
-- key that is not in the database. One is current; a retired one stays until no
-- secret needs it, and then its row goes.
CREATE TABLE data_keys (
    tenant_id  TEXT NOT NULL CHECK (tenant_id <> ''),
    id         TEXT NOT NULL CHECK (id <> ''),
    number     INTEGER NOT NULL CHECK (number > 0),
    wrapped    BLOB NOT NULL,
    master     TEXT NOT NULL CHECK (master <> ''),
    created_at INTEGER NOT NULL,
    retired_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, number)
) STRICT;

CREATE UNIQUE INDEX data_keys_current ON data_keys (tenant_id) WHERE retired_at = 0;

-- Which tenants have secrets, for the rotation of keys, which has no partition
-- yet: a host's tenants need not be in the table of tenants. It holds names
-- alone. A trigger keeps it, so that no statement can forget to.
CREATE TABLE vault_tenants (
    id TEXT NOT NULL PRIMARY KEY CHECK (id <> '')
) STRICT;

INSERT INTO vault_tenants (id) SELECT DISTINCT tenant_id FROM agent_tooling;

-- +goose StatementBegin
CREATE TRIGGER vault_tenants_on_insert AFTER INSERT ON data_keys
BEGIN
    INSERT INTO vault_tenants (id) VALUES (NEW.tenant_id) ON CONFLICT DO NOTHING;
END;
-- +goose StatementEnd
