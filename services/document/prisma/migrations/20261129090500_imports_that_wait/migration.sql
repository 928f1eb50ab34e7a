-- When the process of an import that waits was heard of last. Null for what is no such import, and for those of the version before.
ALTER TABLE documents.collections ADD COLUMN heard_at timestamptz(3);
