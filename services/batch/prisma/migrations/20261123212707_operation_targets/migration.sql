-- AlterTable
ALTER TABLE "people" ADD COLUMN     "display_name" TEXT,
ADD COLUMN     "search_key" TEXT NOT NULL DEFAULT '';

UPDATE people SET search_key = lower(name);

-- What an operation concerned, and what somebody unknown typed to sign in.
ALTER TABLE logs.operation_logs
  ADD COLUMN target_kind text,
  ADD COLUMN target_ids integer[],
  ADD COLUMN target_name text,
  ADD COLUMN login text,
  ADD COLUMN login_key text;

-- The history of one record: few entries of all have its number.
CREATE INDEX operation_logs_of_target ON logs.operation_logs USING gin (target_ids);
-- What one person did.
CREATE INDEX operation_logs_of_account ON logs.operation_logs (account_id, at, event_id);
-- What is asked for across all tenants.
CREATE INDEX operation_logs_of_operation ON logs.operation_logs (operation, at, event_id);
-- Refusals and sign-ins of unknown people are few.
CREATE INDEX operation_logs_refused ON logs.operation_logs (partner_id, at, event_id) WHERE result LIKE 'E%';
CREATE INDEX operation_logs_of_unknown ON logs.operation_logs (at, event_id) WHERE login_key IS NOT NULL;
