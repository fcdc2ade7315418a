-- +goose Up

-- Every partitioned table leads its keys with tenant_id. Moments are whole
-- milliseconds since the Unix epoch; 0 is never.

CREATE TABLE agents (
    tenant_id      text NOT NULL CHECK (tenant_id <> ''),
    id             text NOT NULL,
    name           text NOT NULL,
    owner          text NOT NULL,
    visibility     text NOT NULL CHECK (visibility IN ('private', 'tenant', 'groups')),
    allowed_groups text,
    version        bigint NOT NULL,
    created_at     bigint NOT NULL,
    updated_at     bigint NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

CREATE TABLE agent_versions (
    tenant_id  text NOT NULL CHECK (tenant_id <> ''),
    agent_id   text NOT NULL,
    number     bigint NOT NULL,
    definition text NOT NULL,
    author     text NOT NULL,
    note       text NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (tenant_id, agent_id, number),
    FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id)
);

CREATE TABLE chat_sessions (
    tenant_id   text NOT NULL CHECK (tenant_id <> ''),
    id          text NOT NULL,
    agent_id    text NOT NULL,
    owner       text NOT NULL,
    title       text NOT NULL,
    next_offset bigint NOT NULL,
    created_at  bigint NOT NULL,
    updated_at  bigint NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id)
);

CREATE INDEX chat_sessions_of ON chat_sessions (tenant_id, agent_id, owner, created_at);

CREATE TABLE events (
    tenant_id  text NOT NULL CHECK (tenant_id <> ''),
    session_id text NOT NULL,
    log_offset bigint NOT NULL,
    turn_id    text NOT NULL,
    kind       text NOT NULL,
    source     text NOT NULL,
    data       bytea,
    created_at bigint NOT NULL,
    PRIMARY KEY (tenant_id, session_id, log_offset),
    FOREIGN KEY (tenant_id, session_id) REFERENCES chat_sessions (tenant_id, id)
);

CREATE TABLE turns (
    tenant_id     text NOT NULL CHECK (tenant_id <> ''),
    id            text NOT NULL,
    session_id    text NOT NULL,
    agent_id      text NOT NULL,
    agent_version bigint NOT NULL,
    caller        text NOT NULL,
    state         text NOT NULL CHECK (state IN ('queued', 'running', 'waiting', 'done', 'failed', 'cancelled')),
    memory        text NOT NULL,
    epoch         bigint NOT NULL,
    lease_until   bigint NOT NULL,
    created_at    bigint NOT NULL,
    ended_at      bigint NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, session_id) REFERENCES chat_sessions (tenant_id, id),
    FOREIGN KEY (tenant_id, agent_id, agent_version) REFERENCES agent_versions (tenant_id, agent_id, number)
);

-- A session has one unfinished turn at most. The index also finds all
-- unfinished turns after a restart.
CREATE UNIQUE INDEX turns_open ON turns (tenant_id, session_id)
    WHERE state IN ('queued', 'running', 'waiting');
CREATE INDEX turns_of ON turns (tenant_id, session_id, created_at);

CREATE TABLE calls (
    tenant_id   text NOT NULL CHECK (tenant_id <> ''),
    id          text NOT NULL,
    turn_id     text NOT NULL,
    session_id  text NOT NULL,
    step        bigint NOT NULL,
    position    bigint NOT NULL,
    model_id    text NOT NULL,
    name        text NOT NULL,
    raw         bytea,
    arguments   bytea,
    reasoning   text NOT NULL,
    state       text NOT NULL CHECK (state IN ('proposed', 'waiting', 'settled')),
    approval_id text NOT NULL,
    result      bytea,
    created_at  bigint NOT NULL,
    settled_at  bigint NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, turn_id) REFERENCES turns (tenant_id, id),
    FOREIGN KEY (tenant_id, session_id) REFERENCES chat_sessions (tenant_id, id)
);

CREATE INDEX calls_of ON calls (tenant_id, turn_id, step, position);
CREATE INDEX calls_of_session ON calls (tenant_id, session_id, created_at);

-- Approvals outlive what asked for them, so they refer to it without keys.
CREATE TABLE approvals (
    tenant_id         text NOT NULL CHECK (tenant_id <> ''),
    id                text NOT NULL,
    caller            text NOT NULL,
    agent_id          text NOT NULL,
    agent_version     bigint NOT NULL,
    session_id        text NOT NULL,
    turn_id           text NOT NULL,
    call_id           text NOT NULL,
    slug              text NOT NULL,
    method            text NOT NULL,
    toolkit_version   text NOT NULL,
    schema_hash       bytea,
    fingerprint       bytea,
    filled            bytea,
    arguments         bytea,
    arguments_hash    bytea,
    deciders          text NOT NULL,
    issued_at         bigint NOT NULL,
    expires_at        bigint NOT NULL,
    nonce             text NOT NULL,
    binding           bytea NOT NULL,
    seal              bytea NOT NULL,
    state             text NOT NULL CHECK (state IN
        ('pending', 'approved', 'denied', 'expired', 'cancelled', 'stale', 'consumed')),
    why               text NOT NULL,
    token_hash        bytea,
    redeem_expires_at bigint NOT NULL,
    decided_by        text NOT NULL,
    decided_at        bigint NOT NULL,
    decision_session  text NOT NULL,
    decision_auth     bigint NOT NULL,
    reason            text NOT NULL,
    decision_seal     bytea,
    outcome           text NOT NULL CHECK (outcome IN ('', 'succeeded', 'failed', 'outcome_unknown')),
    result            bytea,
    consumed_at       bigint NOT NULL,
    settled_at        bigint NOT NULL,
    PRIMARY KEY (tenant_id, id),
    CHECK (state NOT IN ('approved', 'consumed') OR decision_seal IS NOT NULL),
    CHECK (outcome = '' OR state = 'consumed')
);

CREATE UNIQUE INDEX approvals_token ON approvals (tenant_id, token_hash) WHERE token_hash IS NOT NULL;
CREATE INDEX approvals_by_state ON approvals (tenant_id, state, issued_at);
CREATE INDEX approvals_by_caller ON approvals (tenant_id, caller, issued_at);
CREATE INDEX approvals_by_turn ON approvals (tenant_id, turn_id, issued_at);

CREATE TABLE intents (
    tenant_id   text NOT NULL CHECK (tenant_id <> ''),
    id          text NOT NULL,
    approval_id text NOT NULL,
    state       text NOT NULL CHECK (state IN ('burned', 'started', 'settled')),
    burned_at   bigint NOT NULL,
    started_at  bigint NOT NULL,
    settled_at  bigint NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, approval_id),
    FOREIGN KEY (tenant_id, approval_id) REFERENCES approvals (tenant_id, id)
);

CREATE TABLE audit_entries (
    tenant_id      text NOT NULL CHECK (tenant_id <> ''),
    id             text NOT NULL,
    at             bigint NOT NULL,
    action         text NOT NULL,
    actor          text NOT NULL,
    requester      text NOT NULL,
    agent_id       text NOT NULL,
    agent_version  bigint NOT NULL,
    approval_id    text NOT NULL,
    slug           text NOT NULL,
    method         text NOT NULL,
    arguments_hash bytea,
    outcome        text NOT NULL,
    reason         text NOT NULL,
    via            text NOT NULL,
    PRIMARY KEY (tenant_id, id)
);

CREATE INDEX audit_entries_by_action ON audit_entries (tenant_id, action, id);
CREATE INDEX audit_entries_by_approval ON audit_entries (tenant_id, approval_id, id);

-- What must be read before a tenant is known has no partition.

CREATE TABLE tenants (
    id         text NOT NULL PRIMARY KEY CHECK (id <> ''),
    name       text NOT NULL,
    created_at bigint NOT NULL
);

CREATE TABLE users (
    id         text NOT NULL PRIMARY KEY CHECK (id <> ''),
    email      text NOT NULL UNIQUE,
    name       text NOT NULL,
    created_at bigint NOT NULL
);

CREATE TABLE memberships (
    tenant_id  text NOT NULL REFERENCES tenants (id),
    user_id    text NOT NULL REFERENCES users (id),
    role       text NOT NULL CHECK (role IN ('admin', 'author', 'member')),
    "groups"   text,
    created_at bigint NOT NULL,
    PRIMARY KEY (tenant_id, user_id)
);

CREATE INDEX memberships_of ON memberships (user_id);

CREATE TABLE login_sessions (
    id         text NOT NULL PRIMARY KEY CHECK (id <> ''),
    user_id    text NOT NULL REFERENCES users (id),
    auth_time  bigint NOT NULL,
    expires_at bigint NOT NULL,
    revoked_at bigint NOT NULL
);

CREATE INDEX login_sessions_of ON login_sessions (user_id);
