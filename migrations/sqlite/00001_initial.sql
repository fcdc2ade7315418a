-- +goose Up

-- Every partitioned table leads its keys with tenant_id. Moments are whole
-- milliseconds since the Unix epoch; 0 is never.

CREATE TABLE agents (
    tenant_id      TEXT NOT NULL CHECK (tenant_id <> ''),
    id             TEXT NOT NULL,
    name           TEXT NOT NULL,
    owner          TEXT NOT NULL,
    visibility     TEXT NOT NULL CHECK (visibility IN ('private', 'tenant', 'groups')),
    allowed_groups TEXT,
    version        INTEGER NOT NULL,
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
) STRICT;

CREATE TABLE agent_versions (
    tenant_id  TEXT NOT NULL CHECK (tenant_id <> ''),
    agent_id   TEXT NOT NULL,
    number     INTEGER NOT NULL,
    definition TEXT NOT NULL,
    author     TEXT NOT NULL,
    note       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, agent_id, number),
    FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id)
) STRICT;

CREATE TABLE chat_sessions (
    tenant_id   TEXT NOT NULL CHECK (tenant_id <> ''),
    id          TEXT NOT NULL,
    agent_id    TEXT NOT NULL,
    owner       TEXT NOT NULL,
    title       TEXT NOT NULL,
    next_offset INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id)
) STRICT;

CREATE INDEX chat_sessions_of ON chat_sessions (tenant_id, agent_id, owner, created_at);

CREATE TABLE events (
    tenant_id  TEXT NOT NULL CHECK (tenant_id <> ''),
    session_id TEXT NOT NULL,
    log_offset INTEGER NOT NULL,
    turn_id    TEXT NOT NULL,
    kind       TEXT NOT NULL,
    source     TEXT NOT NULL,
    data       BLOB,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, session_id, log_offset),
    FOREIGN KEY (tenant_id, session_id) REFERENCES chat_sessions (tenant_id, id)
) STRICT;

CREATE TABLE turns (
    tenant_id     TEXT NOT NULL CHECK (tenant_id <> ''),
    id            TEXT NOT NULL,
    session_id    TEXT NOT NULL,
    agent_id      TEXT NOT NULL,
    agent_version INTEGER NOT NULL,
    caller        TEXT NOT NULL,
    state         TEXT NOT NULL CHECK (state IN ('queued', 'running', 'waiting', 'done', 'failed', 'cancelled')),
    memory        TEXT NOT NULL,
    epoch         INTEGER NOT NULL,
    lease_until   INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    ended_at      INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, session_id) REFERENCES chat_sessions (tenant_id, id),
    FOREIGN KEY (tenant_id, agent_id, agent_version) REFERENCES agent_versions (tenant_id, agent_id, number)
) STRICT;

-- A session has one unfinished turn at most. The index also finds all
-- unfinished turns after a restart.
CREATE UNIQUE INDEX turns_open ON turns (tenant_id, session_id)
    WHERE state IN ('queued', 'running', 'waiting');
CREATE INDEX turns_of ON turns (tenant_id, session_id, created_at);

CREATE TABLE calls (
    tenant_id   TEXT NOT NULL CHECK (tenant_id <> ''),
    id          TEXT NOT NULL,
    turn_id     TEXT NOT NULL,
    session_id  TEXT NOT NULL,
    step        INTEGER NOT NULL,
    position    INTEGER NOT NULL,
    model_id    TEXT NOT NULL,
    name        TEXT NOT NULL,
    raw         BLOB,
    arguments   BLOB,
    reasoning   TEXT NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ('proposed', 'waiting', 'settled')),
    approval_id TEXT NOT NULL,
    result      BLOB,
    created_at  INTEGER NOT NULL,
    settled_at  INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, turn_id) REFERENCES turns (tenant_id, id),
    FOREIGN KEY (tenant_id, session_id) REFERENCES chat_sessions (tenant_id, id)
) STRICT;

CREATE INDEX calls_of ON calls (tenant_id, turn_id, step, position);
CREATE INDEX calls_of_session ON calls (tenant_id, session_id, created_at);

-- Approvals outlive what asked for them, so they refer to it without keys.
CREATE TABLE approvals (
    tenant_id         TEXT NOT NULL CHECK (tenant_id <> ''),
    id                TEXT NOT NULL,
    caller            TEXT NOT NULL,
    agent_id          TEXT NOT NULL,
    agent_version     INTEGER NOT NULL,
    session_id        TEXT NOT NULL,
    turn_id           TEXT NOT NULL,
    call_id           TEXT NOT NULL,
    slug              TEXT NOT NULL,
    method            TEXT NOT NULL,
    toolkit_version   TEXT NOT NULL,
    schema_hash       BLOB,
    fingerprint       BLOB,
    filled            BLOB,
    arguments         BLOB,
    arguments_hash    BLOB,
    deciders          TEXT NOT NULL,
    issued_at         INTEGER NOT NULL,
    expires_at        INTEGER NOT NULL,
    nonce             TEXT NOT NULL,
    binding           BLOB NOT NULL,
    seal              BLOB NOT NULL,
    state             TEXT NOT NULL CHECK (state IN
        ('pending', 'approved', 'denied', 'expired', 'cancelled', 'stale', 'consumed')),
    why               TEXT NOT NULL,
    token_hash        BLOB,
    redeem_expires_at INTEGER NOT NULL,
    decided_by        TEXT NOT NULL,
    decided_at        INTEGER NOT NULL,
    decision_session  TEXT NOT NULL,
    decision_auth     INTEGER NOT NULL,
    reason            TEXT NOT NULL,
    decision_seal     BLOB,
    outcome           TEXT NOT NULL CHECK (outcome IN ('', 'succeeded', 'failed', 'outcome_unknown')),
    result            BLOB,
    consumed_at       INTEGER NOT NULL,
    settled_at        INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    CHECK (state NOT IN ('approved', 'consumed') OR decision_seal IS NOT NULL),
    CHECK (outcome = '' OR state = 'consumed')
) STRICT;

CREATE UNIQUE INDEX approvals_token ON approvals (tenant_id, token_hash) WHERE token_hash IS NOT NULL;
CREATE INDEX approvals_by_state ON approvals (tenant_id, state, issued_at);
CREATE INDEX approvals_by_caller ON approvals (tenant_id, caller, issued_at);
CREATE INDEX approvals_by_turn ON approvals (tenant_id, turn_id, issued_at);

CREATE TABLE intents (
    tenant_id   TEXT NOT NULL CHECK (tenant_id <> ''),
    id          TEXT NOT NULL,
    approval_id TEXT NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ('burned', 'started', 'settled')),
    burned_at   INTEGER NOT NULL,
    started_at  INTEGER NOT NULL,
    settled_at  INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, approval_id),
    FOREIGN KEY (tenant_id, approval_id) REFERENCES approvals (tenant_id, id)
) STRICT;

CREATE TABLE audit_entries (
    tenant_id      TEXT NOT NULL CHECK (tenant_id <> ''),
    id             TEXT NOT NULL,
    at             INTEGER NOT NULL,
    action         TEXT NOT NULL,
    actor          TEXT NOT NULL,
    requester      TEXT NOT NULL,
    agent_id       TEXT NOT NULL,
    agent_version  INTEGER NOT NULL,
    approval_id    TEXT NOT NULL,
    slug           TEXT NOT NULL,
    method         TEXT NOT NULL,
    arguments_hash BLOB,
    outcome        TEXT NOT NULL,
    reason         TEXT NOT NULL,
    via            TEXT NOT NULL,
    PRIMARY KEY (tenant_id, id)
) STRICT;

CREATE INDEX audit_entries_by_action ON audit_entries (tenant_id, action, id);
CREATE INDEX audit_entries_by_approval ON audit_entries (tenant_id, approval_id, id);

-- What must be read before a tenant is known has no partition.

CREATE TABLE tenants (
    id         TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
    name       TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE users (
    id         TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
    email      TEXT NOT NULL UNIQUE,
    name       TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE memberships (
    tenant_id  TEXT NOT NULL REFERENCES tenants (id),
    user_id    TEXT NOT NULL REFERENCES users (id),
    role       TEXT NOT NULL CHECK (role IN ('admin', 'author', 'member')),
    "groups"   TEXT,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, user_id)
) STRICT;

CREATE INDEX memberships_of ON memberships (user_id);

CREATE TABLE login_sessions (
    id         TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
    user_id    TEXT NOT NULL REFERENCES users (id),
    auth_time  INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    revoked_at INTEGER NOT NULL
) STRICT;

CREATE INDEX login_sessions_of ON login_sessions (user_id);
