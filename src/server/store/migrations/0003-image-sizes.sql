-- In pixels, as it is shown; a page keeps the room of an image before it is there. Null where it is not known.
ALTER TABLE files ADD COLUMN width integer;
ALTER TABLE files ADD COLUMN height integer;
