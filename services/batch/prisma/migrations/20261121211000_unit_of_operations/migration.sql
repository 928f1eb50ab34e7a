-- The unit of the administrator who acted; of entries from before, nobody knows it.
ALTER TABLE logs.operation_logs ADD COLUMN unit_id integer;

CREATE INDEX operation_logs_of_unit ON logs.operation_logs (unit_id, at, event_id) WHERE unit_id IS NOT NULL;
