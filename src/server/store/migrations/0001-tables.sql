-- Every key begins with the organization, so that the tables can be spread over servers by it. The two directories are
-- the exceptions: they say which organization a key or an id belongs to, and are small enough to be everywhere.

CREATE TABLE key_directory (
  hash bytea PRIMARY KEY,
  organization uuid NOT NULL
);

CREATE TABLE id_directory (
  id text PRIMARY KEY,
  organization uuid NOT NULL,
  kind text NOT NULL
);

CREATE TABLE organizations (
  organization uuid PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE users (
  organization uuid NOT NULL REFERENCES organizations,
  id bigint NOT NULL,
  name text NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  is_bot boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization, id),
  UNIQUE (organization, email_key)
);

CREATE TABLE api_keys (
  organization uuid NOT NULL,
  id bigint NOT NULL,
  bot_id bigint NOT NULL,
  hash bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  PRIMARY KEY (organization, id),
  UNIQUE (organization, hash),
  FOREIGN KEY (organization, bot_id) REFERENCES users ON DELETE CASCADE
);

CREATE TABLE sign_in_links (
  organization uuid NOT NULL,
  hash bytea NOT NULL,
  user_id bigint NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (organization, hash),
  FOREIGN KEY (organization, user_id) REFERENCES users ON DELETE CASCADE
);

CREATE TABLE channels (
  organization uuid NOT NULL REFERENCES organizations,
  id bigint NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  description text NOT NULL,
  is_private boolean NOT NULL,
  creator_id bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization, id),
  UNIQUE (organization, name_key)
);

CREATE TABLE channel_members (
  organization uuid NOT NULL,
  channel_id bigint NOT NULL,
  user_id bigint NOT NULL,
  PRIMARY KEY (organization, channel_id, user_id),
  FOREIGN KEY (organization, channel_id) REFERENCES channels ON DELETE CASCADE,
  FOREIGN KEY (organization, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX channel_members_of_user ON channel_members (organization, user_id);

CREATE TABLE threads (
  organization uuid NOT NULL,
  id bigint NOT NULL,
  channel_id bigint NOT NULL,
  author_id bigint NOT NULL,
  blocks text[] NOT NULL,
  share_token text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization, id),
  FOREIGN KEY (organization, channel_id) REFERENCES channels ON DELETE CASCADE
);
CREATE INDEX threads_of_channel ON threads (organization, channel_id, id);

-- A comment without blocks was deleted; it stays while it has replies.
CREATE TABLE comments (
  organization uuid NOT NULL,
  id bigint NOT NULL,
  thread_id bigint NOT NULL,
  parent_id bigint,
  author_id bigint NOT NULL,
  blocks text[],
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization, id),
  FOREIGN KEY (organization, thread_id) REFERENCES threads ON DELETE CASCADE,
  FOREIGN KEY (organization, parent_id) REFERENCES comments
);
CREATE INDEX comments_of_thread ON comments (organization, thread_id, id);
CREATE INDEX comments_of_parent ON comments (organization, parent_id) WHERE parent_id IS NOT NULL;

CREATE TABLE chats (
  organization uuid NOT NULL REFERENCES organizations,
  id uuid NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  creator_id bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization, id)
);
CREATE INDEX chats_by_name ON chats (organization, name_key);

CREATE TABLE chat_members (
  organization uuid NOT NULL,
  chat_id uuid NOT NULL,
  user_id bigint NOT NULL,
  PRIMARY KEY (organization, chat_id, user_id),
  FOREIGN KEY (organization, chat_id) REFERENCES chats ON DELETE CASCADE,
  FOREIGN KEY (organization, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX chat_members_of_user ON chat_members (organization, user_id);

CREATE TABLE messages (
  organization uuid NOT NULL,
  id uuid NOT NULL,
  chat_id uuid NOT NULL,
  author_id bigint NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization, id),
  FOREIGN KEY (organization, chat_id) REFERENCES chats ON DELETE CASCADE
);
CREATE INDEX messages_of_chat ON messages (organization, chat_id, id);

CREATE TABLE files (
  organization uuid NOT NULL REFERENCES organizations,
  id bigint NOT NULL,
  hash bytea NOT NULL,
  size bigint NOT NULL,
  media_type text NOT NULL,
  name text NOT NULL,
  uploader_id bigint NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization, id)
);
CREATE INDEX files_by_hash ON files (organization, hash);

-- Which message shows which file; exactly one of the three places is set.
CREATE TABLE shown_files (
  organization uuid NOT NULL,
  file_id bigint NOT NULL,
  place text NOT NULL,
  thread_id bigint,
  comment_id bigint,
  message_id uuid,
  PRIMARY KEY (organization, file_id, place),
  FOREIGN KEY (organization, file_id) REFERENCES files,
  FOREIGN KEY (organization, thread_id) REFERENCES threads ON DELETE CASCADE,
  FOREIGN KEY (organization, comment_id) REFERENCES comments ON DELETE CASCADE,
  FOREIGN KEY (organization, message_id) REFERENCES messages ON DELETE CASCADE,
  CHECK (num_nonnulls(thread_id, comment_id, message_id) = 1)
);
CREATE INDEX shown_in_thread ON shown_files (organization, thread_id) WHERE thread_id IS NOT NULL;
CREATE INDEX shown_in_comment ON shown_files (organization, comment_id) WHERE comment_id IS NOT NULL;
CREATE INDEX shown_in_message ON shown_files (organization, message_id) WHERE message_id IS NOT NULL;

CREATE TABLE idempotency (
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
CREATE INDEX idempotency_by_age ON idempotency (organization, created_at);

-- One sequence numbers everything that has a numeric id, below 2^53 so that it is exact in JSON everywhere.
CREATE SEQUENCE ids MINVALUE 100001 MAXVALUE 9007199254740991;
