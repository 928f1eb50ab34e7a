-- Exports that this service is asked for and has not finished; one in hand is due again when its worker is silent.
CREATE TABLE messaging.csv_task (
  batch_id integer PRIMARY KEY,
  partner_id integer,
  request jsonb NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL
);
