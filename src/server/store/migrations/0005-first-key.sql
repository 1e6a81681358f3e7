-- The first key is shown once; a start that was killed before that is followed by one that makes another.
ALTER TABLE api_keys ADD COLUMN is_shown boolean NOT NULL DEFAULT true;
