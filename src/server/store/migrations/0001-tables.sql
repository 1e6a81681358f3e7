-- A UUIDv7 by the clock of the database in microseconds, so that ids sort in the order of their creation: the clocks of
-- processes may differ. From PostgreSQL 18 on, uuidv7() does the same.
CREATE FUNCTION new_uuid() RETURNS uuid LANGUAGE sql AS $$
  SELECT (lpad(to_hex(time / 1000), 12, '0') || '7' || lpad(to_hex(time % 1000 * 4), 3, '0')
    || substr(gen_random_uuid()::text, 20))::uuid
  FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS time) AS clock
$$;

-- Every key begins with the organization, so that the tables can be distributed by it. The directory of API keys is the
-- exception: it says which organization an API key belongs to, and is small enough to be on every server.

CREATE TABLE key_directory (
  hash bytea PRIMARY KEY,
  organization uuid NOT NULL
);

CREATE TABLE organizations (
  organization uuid PRIMARY KEY,
  name text NOT NULL,
  -- The name without regard to case. Everything that compares names compares this column.
  name_key text NOT NULL,
  is_suspended boolean NOT NULL DEFAULT false,
  is_removed boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);
-- A cluster has no such index, because it would have to contain the organization. There the operator's lock keeps names unique.
CREATE UNIQUE INDEX organizations_by_name ON organizations (name_key);

CREATE TABLE users (
  organization uuid NOT NULL REFERENCES organizations,
  id bigint NOT NULL,
  name text NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  is_bot boolean NOT NULL,
  -- A removed bot stays as the author of what it posted. Nothing else finds it.
  is_removed boolean NOT NULL DEFAULT false,
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
CREATE INDEX keys_by_end ON api_keys (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE sign_in_links (
  organization uuid NOT NULL,
  hash bytea NOT NULL,
  user_id bigint NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (organization, hash),
  FOREIGN KEY (organization, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX links_by_end ON sign_in_links (expires_at);

-- Sessions of users who have signed in to the pages. A session that began with an API key ends with that key.
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
CREATE INDEX sessions_by_end ON sessions (expires_at);

-- A deleted channel, thread or chat is only marked, so that it is gone at once, however much it contains. The rows are removed
-- later, a thousand at a time.
CREATE TABLE channels (
  organization uuid NOT NULL REFERENCES organizations,
  id bigint NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  description text NOT NULL,
  is_private boolean NOT NULL,
  creator_id bigint NOT NULL,
  is_removed boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization, id),
  UNIQUE (organization, name_key)
);
CREATE INDEX removed_channels ON channels (organization) WHERE is_removed;

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
  is_removed boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization, id),
  FOREIGN KEY (organization, channel_id) REFERENCES channels ON DELETE CASCADE
);
CREATE INDEX threads_of_channel ON threads (organization, channel_id, id);
CREATE INDEX threads_by_token ON threads (organization, share_token);
CREATE INDEX removed_threads ON threads (organization) WHERE is_removed;

-- A deleted comment that has replies loses its blocks, and stays until the last reply is gone. A reply locks the comment that it
-- answers, so a reference for the parent is not needed, and the comments of a deleted thread are removed in any order.
CREATE TABLE comments (
  organization uuid NOT NULL,
  id bigint NOT NULL,
  thread_id bigint NOT NULL,
  parent_id bigint,
  author_id bigint NOT NULL,
  blocks text[],
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization, id),
  FOREIGN KEY (organization, thread_id) REFERENCES threads ON DELETE CASCADE
);
CREATE INDEX comments_of_thread ON comments (organization, thread_id, id);
CREATE INDEX comments_of_parent ON comments (organization, parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX emptied_comments ON comments (organization, id) WHERE blocks IS NULL;

CREATE TABLE chats (
  organization uuid NOT NULL REFERENCES organizations,
  id uuid NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  creator_id bigint NOT NULL,
  is_removed boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization, id)
);
CREATE INDEX chats_by_name ON chats (organization, name_key);
CREATE INDEX removed_chats ON chats (organization) WHERE is_removed;

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
  -- The size of an image in pixels, which a page reserves before the image has loaded. Null if it is not known.
  width integer,
  height integer,
  PRIMARY KEY (organization, id)
);
CREATE INDEX files_by_hash ON files (organization, hash);

-- A row for each file in a message. The message is a thread (thread_id), one of its comments (both ids), or a chat message
-- (message_id).
CREATE TABLE shown_files (
  organization uuid NOT NULL,
  file_id bigint NOT NULL,
  -- The id of the channel or chat. Whether a reader may see the file is checked once for each of them.
  room text NOT NULL,
  -- The id of the thread, comment or chat message.
  place text NOT NULL,
  thread_id bigint,
  comment_id bigint,
  message_id uuid,
  PRIMARY KEY (organization, file_id, room, place),
  FOREIGN KEY (organization, file_id) REFERENCES files,
  FOREIGN KEY (organization, thread_id) REFERENCES threads ON DELETE CASCADE,
  FOREIGN KEY (organization, comment_id) REFERENCES comments ON DELETE CASCADE,
  FOREIGN KEY (organization, message_id) REFERENCES messages ON DELETE CASCADE,
  CHECK (num_nonnulls(thread_id, message_id) = 1 AND (comment_id IS NULL OR thread_id IS NOT NULL))
);
CREATE INDEX shown_in_thread ON shown_files (organization, thread_id, file_id) WHERE thread_id IS NOT NULL;
CREATE INDEX shown_at ON shown_files (organization, place);
CREATE INDEX shown_in_comment ON shown_files (organization, comment_id) WHERE comment_id IS NOT NULL;
CREATE INDEX shown_in_message ON shown_files (organization, message_id) WHERE message_id IS NOT NULL;

-- The responses that are kept for a day, by the hash of the idempotency key and its scope. There is no reference to the bot,
-- because it would lock the bot's row at each post.
CREATE TABLE idempotency (
  organization uuid NOT NULL,
  hash bytea NOT NULL,
  request_hash bytea NOT NULL,
  answer text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (organization, hash)
);
CREATE INDEX idempotency_by_end ON idempotency (expires_at);

-- One sequence numbers everything that has a numeric id, below 2^53 so that it is exact in JSON everywhere.
CREATE SEQUENCE ids MINVALUE 100001 MAXVALUE 9007199254740991;
