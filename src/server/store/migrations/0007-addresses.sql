-- A URL names its organization, so no table maps ids to organizations. The indexes are built without blocking writes.
-- This may take minutes on a large database. After an interruption it starts again.
CREATE INDEX CONCURRENTLY threads_by_token ON threads (share_token);
CREATE INDEX CONCURRENTLY idempotency_by_time ON idempotency USING brin (created_at);
CREATE INDEX CONCURRENTLY sessions_by_end ON sessions (expires_at);
CREATE INDEX CONCURRENTLY links_by_end ON sign_in_links (expires_at);
CREATE INDEX CONCURRENTLY keys_by_end ON api_keys (expires_at) WHERE expires_at IS NOT NULL;

-- Kept responses of the day before. The two tables change their names once a day, and the older one is truncated.
CREATE TABLE idempotency_before (
  organization uuid NOT NULL,
  bot_id bigint NOT NULL,
  endpoint text NOT NULL,
  key text NOT NULL,
  request_hash bytea NOT NULL,
  answer text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization, bot_id, endpoint, key),
  FOREIGN KEY (organization, bot_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX idempotency_before_by_time ON idempotency_before USING brin (created_at);
DROP INDEX idempotency_by_age;

ALTER TABLE organizations ADD COLUMN is_suspended boolean NOT NULL DEFAULT false;
ALTER TABLE organizations ADD COLUMN is_removed boolean NOT NULL DEFAULT false;
-- On one server only: elsewhere the operator's lock keeps names apart.
UPDATE organizations SET name = left(name, 69) || ' (' || left(organization::text, 8) || ')'
WHERE EXISTS (
  SELECT FROM organizations o
  WHERE lower(o.name) = lower(organizations.name) AND o.organization < organizations.organization
);
-- On one server only: elsewhere the operator's lock keeps names apart.
CREATE UNIQUE INDEX organizations_by_name ON organizations (lower(name));

-- Processes of the version before may run next to those of this one. They still find the organization of an id here, and
-- the rows that they write are not needed.
DROP TABLE id_directory;
CREATE VIEW id_directory AS
  SELECT organization, id::text AS id, 'channel' AS kind FROM channels
  UNION ALL SELECT organization, id::text, 'thread' FROM threads
  UNION ALL SELECT organization, id::text, 'comment' FROM comments
  UNION ALL SELECT organization, id::text, 'chat' FROM chats
  UNION ALL SELECT organization, id::text, 'file' FROM files;
CREATE RULE no_insert AS ON INSERT TO id_directory DO INSTEAD NOTHING;
CREATE RULE no_delete AS ON DELETE TO id_directory DO INSTEAD NOTHING;
