-- +goose Up

-- How a toolkit is configured for an agent. Secrets are JSON of name to
-- credential version and sealed box, never plain text.
CREATE TABLE agent_tooling (
    tenant_id        TEXT NOT NULL CHECK (tenant_id <> ''),
    agent_id         TEXT NOT NULL,
    slug             TEXT NOT NULL CHECK (slug <> ''),
    params           TEXT NOT NULL CHECK (params <> ''),
    secrets          TEXT,
    user_overridable TEXT,
    revision         INTEGER NOT NULL CHECK (revision > 0),
    updated_at       INTEGER NOT NULL,
    updated_by       TEXT NOT NULL,
    PRIMARY KEY (tenant_id, agent_id, slug),
    FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id)
) STRICT;

-- What a user has set instead, for their own calls. It goes with what it
-- overrides.
CREATE TABLE toolkit_overrides (
    tenant_id  TEXT NOT NULL CHECK (tenant_id <> ''),
    agent_id   TEXT NOT NULL,
    slug       TEXT NOT NULL,
    user_id    TEXT NOT NULL CHECK (user_id <> ''),
    params     TEXT NOT NULL CHECK (params <> ''),
    secrets    TEXT,
    revision   INTEGER NOT NULL CHECK (revision > 0),
    updated_at INTEGER NOT NULL,
    updated_by TEXT NOT NULL,
    PRIMARY KEY (tenant_id, agent_id, slug, user_id),
    FOREIGN KEY (tenant_id, agent_id, slug) REFERENCES agent_tooling (tenant_id, agent_id, slug) ON DELETE CASCADE
) STRICT;
