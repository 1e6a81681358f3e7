-- Who has signed in to the pages. A session that a key began ends with the key.
CREATE TABLE sessions (
  organization uuid NOT NULL,
  hash bytea NOT NULL,
  user_id bigint NOT NULL,
  key_hash bytea,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (organization, hash),
  FOREIGN KEY (organization, user_id) REFERENCES users ON DELETE CASCADE,
  FOREIGN KEY (organization, key_hash) REFERENCES api_keys (organization, hash) ON DELETE CASCADE
);
CREATE INDEX sessions_of_user ON sessions (organization, user_id);
CREATE INDEX sessions_of_key ON sessions (organization, key_hash) WHERE key_hash IS NOT NULL;
