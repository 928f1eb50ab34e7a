-- Answers to POST requests that carried an Idempotency-Key, kept for 24 hours.
CREATE TABLE messaging.idempotent_reply (
  id text PRIMARY KEY,
  body_hash text NOT NULL,
  reply jsonb,
  done boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL
);

CREATE INDEX idempotent_reply_created_at ON messaging.idempotent_reply (created_at);
