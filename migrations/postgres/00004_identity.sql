-- +goose Up

-- What must be read before a tenant is known has no partition: users and how
-- they prove who they are.

ALTER TABLE users ADD COLUMN kind text NOT NULL DEFAULT 'person' CHECK (kind IN ('person', 'service'));

ALTER TABLE login_sessions ADD COLUMN created_at bigint NOT NULL DEFAULT 0;
ALTER TABLE login_sessions ADD COLUMN last_seen_at bigint NOT NULL DEFAULT 0;
ALTER TABLE login_sessions ADD COLUMN device text NOT NULL DEFAULT '';
ALTER TABLE login_sessions ADD COLUMN address text NOT NULL DEFAULT '';
UPDATE login_sessions SET created_at = auth_time, last_seen_at = auth_time;

CREATE TABLE passwords (
    user_id    text NOT NULL PRIMARY KEY REFERENCES users (id),
    hash       text NOT NULL CHECK (hash <> ''),
    changed_at bigint NOT NULL
);

CREATE TABLE user_identities (
    issuer     text NOT NULL CHECK (issuer <> ''),
    subject    text NOT NULL CHECK (subject <> ''),
    user_id    text NOT NULL REFERENCES users (id),
    created_at bigint NOT NULL,
    PRIMARY KEY (issuer, subject)
);

CREATE INDEX user_identities_of ON user_identities (user_id);

-- The id is a digest of an account or a network address. The account need not
-- exist.
CREATE TABLE login_attempts (
    id           text NOT NULL PRIMARY KEY CHECK (id <> ''),
    failed       bigint NOT NULL,
    since        bigint NOT NULL,
    locked_until bigint NOT NULL
);

CREATE INDEX login_attempts_old ON login_attempts (since);

-- Partitioned. The link of an invitation and the text of a token name their
-- tenant, so both are found within it.

CREATE TABLE invitations (
    tenant_id   text NOT NULL CHECK (tenant_id <> ''),
    id          text NOT NULL,
    token_hash  bytea NOT NULL,
    role        text NOT NULL CHECK (role IN ('admin', 'author', 'member')),
    "groups"    text,
    email       text NOT NULL,
    invited_by  text NOT NULL,
    created_at  bigint NOT NULL,
    expires_at  bigint NOT NULL,
    accepted_at bigint NOT NULL,
    accepted_by text NOT NULL,
    revoked_at  bigint NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, token_hash)
);

CREATE TABLE api_tokens (
    tenant_id    text NOT NULL CHECK (tenant_id <> ''),
    id           text NOT NULL,
    user_id      text NOT NULL REFERENCES users (id),
    name         text NOT NULL,
    permissions  text,
    created_by   text NOT NULL,
    created_at   bigint NOT NULL,
    expires_at   bigint NOT NULL,
    last_used_at bigint NOT NULL,
    revoked_at   bigint NOT NULL,
    PRIMARY KEY (tenant_id, id)
);

CREATE INDEX api_tokens_of ON api_tokens (tenant_id, user_id, created_at);

-- The groups of a tenant by name; who is in them, memberships say.
CREATE TABLE member_groups (
    tenant_id  text NOT NULL CHECK (tenant_id <> ''),
    name       text NOT NULL CHECK (name <> ''),
    about      text NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (tenant_id, name)
);

ALTER TABLE invitations ENABLE ROW LEVEL SECURITY;
ALTER TABLE invitations FORCE ROW LEVEL SECURITY;
CREATE POLICY in_partition ON invitations
    USING (tenant_id = NULLIF(current_setting('app.tenant', true), ''))
    WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant', true), ''));

ALTER TABLE api_tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE api_tokens FORCE ROW LEVEL SECURITY;
CREATE POLICY in_partition ON api_tokens
    USING (tenant_id = NULLIF(current_setting('app.tenant', true), ''))
    WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant', true), ''));

ALTER TABLE member_groups ENABLE ROW LEVEL SECURITY;
ALTER TABLE member_groups FORCE ROW LEVEL SECURITY;
CREATE POLICY in_partition ON member_groups
    USING (tenant_id = NULLIF(current_setting('app.tenant', true), ''))
    WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant', true), ''));
