-- A route may answer with several statuses and a version. Null: the status that the route has mostly; answers of before.
ALTER TABLE messaging.idempotent_reply ADD COLUMN status integer, ADD COLUMN version text;
