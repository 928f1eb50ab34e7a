-- Where what was made is found, which an answer may tell in `Location`. Null: it does not; answers of before.
ALTER TABLE messaging.idempotent_reply ADD COLUMN location text;
