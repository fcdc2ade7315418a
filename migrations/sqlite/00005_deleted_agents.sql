-- +goose Up

-- A deleted agent stays as a row, for what was said and done with it. Its name
-- becomes one that no agent can be given, so that the old one is free.

ALTER TABLE agents ADD COLUMN deleted_at INTEGER NOT NULL DEFAULT 0;

-- The unfinished turns of an agent end with it.
CREATE INDEX turns_open_of ON turns (tenant_id, agent_id)
    WHERE state IN ('queued', 'running', 'waiting');
