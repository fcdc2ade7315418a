-- +goose Up

-- Row security is the second wall around a partition: a unit of work says in
-- app.tenant, for its transaction only, whose rows it may see. Unset or empty,
-- it sees none. FORCE binds the owner of the tables as well.

ALTER TABLE agents ENABLE ROW LEVEL SECURITY;
ALTER TABLE agents FORCE ROW LEVEL SECURITY;
CREATE POLICY in_partition ON agents
    USING (tenant_id = NULLIF(current_setting('app.tenant', true), ''))
    WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant', true), ''));

ALTER TABLE agent_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE agent_versions FORCE ROW LEVEL SECURITY;
CREATE POLICY in_partition ON agent_versions
    USING (tenant_id = NULLIF(current_setting('app.tenant', true), ''))
    WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant', true), ''));

ALTER TABLE chat_sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE chat_sessions FORCE ROW LEVEL SECURITY;
CREATE POLICY in_partition ON chat_sessions
    USING (tenant_id = NULLIF(current_setting('app.tenant', true), ''))
    WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant', true), ''));

ALTER TABLE events ENABLE ROW LEVEL SECURITY;
ALTER TABLE events FORCE ROW LEVEL SECURITY;
CREATE POLICY in_partition ON events
    USING (tenant_id = NULLIF(current_setting('app.tenant', true), ''))
    WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant', true), ''));

ALTER TABLE turns ENABLE ROW LEVEL SECURITY;
ALTER TABLE turns FORCE ROW LEVEL SECURITY;
CREATE POLICY in_partition ON turns
    USING (tenant_id = NULLIF(current_setting('app.tenant', true), ''))
    WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant', true), ''));

ALTER TABLE calls ENABLE ROW LEVEL SECURITY;
ALTER TABLE calls FORCE ROW LEVEL SECURITY;
CREATE POLICY in_partition ON calls
    USING (tenant_id = NULLIF(current_setting('app.tenant', true), ''))
    WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant', true), ''));

ALTER TABLE approvals ENABLE ROW LEVEL SECURITY;
ALTER TABLE approvals FORCE ROW LEVEL SECURITY;
CREATE POLICY in_partition ON approvals
    USING (tenant_id = NULLIF(current_setting('app.tenant', true), ''))
    WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant', true), ''));

ALTER TABLE intents ENABLE ROW LEVEL SECURITY;
ALTER TABLE intents FORCE ROW LEVEL SECURITY;
CREATE POLICY in_partition ON intents
    USING (tenant_id = NULLIF(current_setting('app.tenant', true), ''))
    WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant', true), ''));

ALTER TABLE audit_entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_entries FORCE ROW LEVEL SECURITY;
CREATE POLICY in_partition ON audit_entries
    USING (tenant_id = NULLIF(current_setting('app.tenant', true), ''))
    WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant', true), ''));

ALTER TABLE agent_tooling ENABLE ROW LEVEL SECURITY;
ALTER TABLE agent_tooling FORCE ROW LEVEL SECURITY;
CREATE POLICY in_partition ON agent_tooling
    USING (tenant_id = NULLIF(current_setting('app.tenant', true), ''))
    WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant', true), ''));

ALTER TABLE toolkit_overrides ENABLE ROW LEVEL SECURITY;
ALTER TABLE toolkit_overrides FORCE ROW LEVEL SECURITY;
CREATE POLICY in_partition ON toolkit_overrides
    USING (tenant_id = NULLIF(current_setting('app.tenant', true), ''))
    WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant', true), ''));

-- Which turns are unfinished, for the sweep after a restart, which has no
-- partition yet. It holds references alone; what is done with a turn happens in
-- its partition. Triggers keep it, so that no statement can forget to.
CREATE TABLE open_turns (
    tenant_id text NOT NULL CHECK (tenant_id <> ''),
    id        text NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, id) REFERENCES turns (tenant_id, id) ON DELETE CASCADE
);

-- Row security hides the turns that are there already, even from their owner.
ALTER TABLE turns NO FORCE ROW LEVEL SECURITY;
INSERT INTO open_turns (tenant_id, id)
    SELECT tenant_id, id FROM turns WHERE state IN ('queued', 'running', 'waiting');
ALTER TABLE turns FORCE ROW LEVEL SECURITY;

-- +goose StatementBegin
CREATE FUNCTION keep_open_turns() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state IN ('queued', 'running', 'waiting') THEN
        INSERT INTO open_turns (tenant_id, id) VALUES (NEW.tenant_id, NEW.id) ON CONFLICT DO NOTHING;
    ELSE
        DELETE FROM open_turns WHERE tenant_id = NEW.tenant_id AND id = NEW.id;
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER open_turns_on_insert AFTER INSERT ON turns
    FOR EACH ROW EXECUTE FUNCTION keep_open_turns();
CREATE TRIGGER open_turns_on_update AFTER UPDATE OF state ON turns
    FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION keep_open_turns();
