-- What is deleted is marked, so that it is gone at once however much is in it, and its rows are removed in small parts.
ALTER TABLE channels ADD COLUMN is_removed boolean NOT NULL DEFAULT false;
ALTER TABLE threads ADD COLUMN is_removed boolean NOT NULL DEFAULT false;
ALTER TABLE chats ADD COLUMN is_removed boolean NOT NULL DEFAULT false;
CREATE INDEX removed_channels ON channels (organization) WHERE is_removed;
CREATE INDEX removed_threads ON threads (organization) WHERE is_removed;
CREATE INDEX removed_chats ON chats (organization) WHERE is_removed;
