-- +goose Up

-- Who decides about a membership: '' for people of the tenant, else the issuer
-- whose groups it follows.
ALTER TABLE memberships ADD COLUMN source TEXT NOT NULL DEFAULT '';
