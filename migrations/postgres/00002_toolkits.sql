-- +goose Up

-- How a toolkit is configured for an agent. Secrets are JSON of name to
-- credential version and sealed box, never plain text.
CREATE TABLE agent_tooling (
    tenant_id        text NOT NULL CHECK (tenant_id <> ''),
    agent_id         text NOT NULL,
    slug             text NOT NULL CHECK (slug <> ''),
    params           text NOT NULL CHECK (params <> ''),
    secrets          text,
    user_overridable text,
    revision         bigint NOT NULL CHECK (revision > 0),
    updated_at       bigint NOT NULL,
    updated_by       text NOT NULL,
    PRIMARY KEY (tenant_id, agent_id, slug),
    FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id)
);

-- What a user has set instead, for their own calls. It goes with what it
-- overrides.
CREATE TABLE toolkit_overrides (
    tenant_id  text NOT NULL CHECK (tenant_id <> ''),
    agent_id   text NOT NULL,
    slug       text NOT NULL,
    user_id    text NOT NULL CHECK (user_id <> ''),
    params     text NOT NULL CHECK (params <> ''),
    secrets    text,
    revision   bigint NOT NULL CHECK (revision > 0),
    updated_at bigint NOT NULL,
    updated_by text NOT NULL,
    PRIMARY KEY (tenant_id, agent_id, slug, user_id),
    FOREIGN KEY (tenant_id, agent_id, slug) REFERENCES agent_tooling (tenant_id, agent_id, slug) ON DELETE CASCADE
);
