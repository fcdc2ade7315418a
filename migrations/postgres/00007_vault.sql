-- +goose Up

-- The keys that a tenant's secrets are sealed with, each wrapped by a master
-- key that is not in the database. One is current; a retired one stays until no
-- secret needs it, and then its row goes.
CREATE TABLE data_keys (
    tenant_id  text NOT NULL CHECK (tenant_id <> ''),
    id         text NOT NULL CHECK (id <> ''),
    number     bigint NOT NULL CHECK (number > 0),
    wrapped    bytea NOT NULL,
    master     text NOT NULL CHECK (master <> ''),
    created_at bigint NOT NULL,
    retired_at bigint NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, number)
);

CREATE UNIQUE INDEX data_keys_current ON data_keys (tenant_id) WHERE retired_at = 0;

ALTER TABLE data_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE data_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY in_partition ON data_keys
    USING (tenant_id = NULLIF(current_setting('app.tenant', true), ''))
    WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant', true), ''));

-- Which tenants have secrets, for the rotation of keys, which has no partition
-- yet: a host's tenants need not be in the table of tenants. It holds names
-- alone. A trigger keeps it, so that no statement can forget to.
CREATE TABLE vault_tenants (
    id text NOT NULL PRIMARY KEY CHECK (id <> '')
);

-- Row security hides the secrets that are there already, even from their owner.
ALTER TABLE agent_tooling NO FORCE ROW LEVEL SECURITY;
INSERT INTO vault_tenants (id) SELECT DISTINCT tenant_id FROM agent_tooling;
ALTER TABLE agent_tooling FORCE ROW LEVEL SECURITY;

-- +goose StatementBegin
CREATE FUNCTION keep_vault_tenants() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO vault_tenants (id) VALUES (NEW.tenant_id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER vault_tenants_on_insert AFTER INSERT ON data_keys
    FOR EACH ROW EXECUTE FUNCTION keep_vault_tenants();
