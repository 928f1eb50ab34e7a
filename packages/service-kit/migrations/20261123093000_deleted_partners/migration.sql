-- Partners that are deleted, and when their rows are deleted, or looked for once more; null when that is over.
CREATE TABLE messaging.deleted_partner (
  partner_id integer PRIMARY KEY,
  deleted_at timestamptz NOT NULL,
  due_at timestamptz
);

CREATE INDEX deleted_partner_due_at ON messaging.deleted_partner (due_at) WHERE due_at IS NOT NULL;
