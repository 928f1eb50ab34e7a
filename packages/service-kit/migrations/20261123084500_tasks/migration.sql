-- Background work of a service, in queues: see docs/decisions/0040-one-lease-queue.md.
CREATE TABLE messaging.task (
  queue text NOT NULL,
  id text NOT NULL,
  -- Null for a task without a tenant.
  partner_id integer,
  -- Tasks with the lowest number come first.
  priority smallint NOT NULL DEFAULT 0,
  payload jsonb NOT NULL,
  -- How often it was claimed since the end of its last turn without a failure.
  attempts integer NOT NULL DEFAULT 0,
  added_at timestamptz NOT NULL,
  -- From when it can be claimed; while a worker has it, the end of the lease.
  due_at timestamptz NOT NULL,
  -- Identifies the latest claim: a worker with an earlier one has lost the task.
  lease uuid,
  -- The order of tasks that are due at the same time.
  seq bigserial NOT NULL,
  PRIMARY KEY (queue, id)
);

CREATE INDEX task_next ON messaging.task (queue, priority, due_at, seq);

-- Exports that were requested before this table existed. The old table is dropped in the next release.
INSERT INTO messaging.task (queue, id, partner_id, payload, attempts, added_at, due_at)
SELECT 'write-exports', batch_id, partner_id, request, attempts, now(), due_at FROM messaging.csv_task
ORDER BY due_at, batch_id;
