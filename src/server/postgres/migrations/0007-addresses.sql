-- An address names its organization, so that no table has to say whose an id is. What follows is built without holding
-- anybody up: it may take minutes on a large database, and is begun again after an interruption.
CREATE INDEX CONCURRENTLY threads_by_token ON threads (share_token);
CREATE INDEX CONCURRENTLY idempotency_by_time ON idempotency USING brin (created_at);
CREATE INDEX CONCURRENTLY sessions_by_end ON sessions (expires_at);
CREATE INDEX CONCURRENTLY links_by_end ON sign_in_links (expires_at);
CREATE INDEX CONCURRENTLY keys_by_end ON api_keys (expires_at) WHERE expires_at IS NOT NULL;

-- Kept responses of the day before: the two tables change their names once a day, and the older one is emptied whole.
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

-- Processes of the version before go on beside those of this one: they still find whose an id is, and what they write
-- here is not needed.
DROP TABLE id_directory;
CREATE VIEW id_directory AS
  SELECT organization, id::text AS id, 'channel' AS kind FROM channels
  UNION ALL SELECT organization, id::text, 'thread' FROM threads
  UNION ALL SELECT organization, id::text, 'comment' FROM comments
  UNION ALL SELECT organization, id::text, 'chat' FROM chats
  UNION ALL SELECT organization, id::text, 'file' FROM files;
CREATE RULE no_insert AS ON INSERT TO id_directory DO INSTEAD NOTHING;
CREATE RULE no_delete AS ON DELETE TO id_directory DO INSTEAD NOTHING;
