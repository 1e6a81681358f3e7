-- The directory of ids is spread as everything else: a post is one server's transaction, and needs no other.
ALTER TABLE id_directory DROP CONSTRAINT id_directory_pkey;
ALTER TABLE id_directory ADD CONSTRAINT id_directory_pkey PRIMARY KEY (organization, id);
CREATE INDEX id_directory_by_id ON id_directory (id);
