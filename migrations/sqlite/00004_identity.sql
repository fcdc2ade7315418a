-- +goose Up

-- What must be read before a tenant is known has no partition: users and how
-- they prove who they are.

ALTER TABLE users ADD COLUMN kind TEXT NOT NULL DEFAULT 'person' CHECK (kind IN ('person', 'service'));

ALTER TABLE login_sessions ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE login_sessions ADD COLUMN last_seen_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE login_sessions ADD COLUMN device TEXT NOT NULL DEFAULT '';
ALTER TABLE login_sessions ADD COLUMN address TEXT NOT NULL DEFAULT '';
UPDATE login_sessions SET created_at = auth_time, last_seen_at = auth_time;

CREATE TABLE passwords (
    user_id    TEXT NOT NULL PRIMARY KEY REFERENCES users (id),
    hash       TEXT NOT NULL CHECK (hash <> ''),
    changed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE user_identities (
    issuer     TEXT NOT NULL CHECK (issuer <> ''),
    subject    TEXT NOT NULL CHECK (subject <> ''),
    user_id    TEXT NOT NULL REFERENCES users (id),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (issuer, subject)
) STRICT;

CREATE INDEX user_identities_of ON user_identities (user_id);

-- The id is a digest of an account or a network address. The account need not
-- exist.
CREATE TABLE login_attempts (
    id           TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
    failed       INTEGER NOT NULL,
    since        INTEGER NOT NULL,
    locked_until INTEGER NOT NULL
) STRICT;

CREATE INDEX login_attempts_old ON login_attempts (since);

-- Partitioned. The link of an invitation and the text of a token name their
-- tenant, so both are found within it.

CREATE TABLE invitations (
    tenant_id   TEXT NOT NULL CHECK (tenant_id <> ''),
    id          TEXT NOT NULL,
    token_hash  BLOB NOT NULL,
    role        TEXT NOT NULL CHECK (role IN ('admin', 'author', 'member')),
    "groups"    TEXT,
    email       TEXT NOT NULL,
    invited_by  TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL,
    accepted_at INTEGER NOT NULL,
    accepted_by TEXT NOT NULL,
    revoked_at  INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, token_hash)
) STRICT;

CREATE TABLE api_tokens (
    tenant_id    TEXT NOT NULL CHECK (tenant_id <> ''),
    id           TEXT NOT NULL,
    user_id      TEXT NOT NULL REFERENCES users (id),
    name         TEXT NOT NULL,
    permissions  TEXT,
    created_by   TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    revoked_at   INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id)
) STRICT;

CREATE INDEX api_tokens_of ON api_tokens (tenant_id, user_id, created_at);

-- The groups of a tenant by name; who is in them, memberships say.
CREATE TABLE member_groups (
    tenant_id  TEXT NOT NULL CHECK (tenant_id <> ''),
    name       TEXT NOT NULL CHECK (name <> ''),
    about      TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, name)
) STRICT;
