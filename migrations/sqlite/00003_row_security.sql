-- +goose Up

-- SQLite has no row security: here the filter in the program is the only wall.
-- What the sweep after a restart reads is the same as on PostgreSQL.

-- Which turns are unfinished, for the sweep after a restart, which has no
-- partition yet. It holds references alone; what is done with a turn happens in
-- its partition. Triggers keep it, so that no statement can forget to.
CREATE TABLE open_turns (
    tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
    id        TEXT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, id) REFERENCES turns (tenant_id, id) ON DELETE CASCADE
) STRICT;

INSERT INTO open_turns (tenant_id, id)
    SELECT tenant_id, id FROM turns WHERE state IN ('queued', 'running', 'waiting');

-- +goose StatementBegin
CREATE TRIGGER open_turns_on_insert AFTER INSERT ON turns
    WHEN NEW.state IN ('queued', 'running', 'waiting')
BEGIN
    INSERT INTO open_turns (tenant_id, id) VALUES (NEW.tenant_id, NEW.id);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER open_turns_on_open AFTER UPDATE OF state ON turns
    WHEN OLD.state <> NEW.state AND NEW.state IN ('queued', 'running', 'waiting')
BEGIN
    INSERT INTO open_turns (tenant_id, id) VALUES (NEW.tenant_id, NEW.id) ON CONFLICT DO NOTHING;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER open_turns_on_end AFTER UPDATE OF state ON turns
    WHEN OLD.state <> NEW.state AND NEW.state NOT IN ('queued', 'running', 'waiting')
BEGIN
    DELETE FROM open_turns WHERE tenant_id = NEW.tenant_id AND id = NEW.id;
END;
-- +goose StatementEnd
