-- The push service keeps the push tokens of devices, and people and groups: it is told of what was there before it.
SELECT set_config('app.scope', 'system', true);

-- AlterTable
ALTER TABLE "devices" ADD COLUMN "push_number" BIGINT, ADD COLUMN "push_session" UUID;

CREATE SEQUENCE "push_numbers";

-- Push tokens that the version before has kept, until they are told.
CREATE INDEX "devices_kept_push_tokens_idx" ON "devices"("registration") WHERE "push_token" IS NOT NULL;

-- Processes of the version before may run beside those of this one while it is installed, and would pass over what is told.
INSERT INTO "retellings" ("thing", "due_at")
SELECT thing, now() + interval '15 minutes' FROM (
    SELECT 'groups' AS thing WHERE EXISTS (SELECT FROM groups)
    UNION ALL SELECT 'people' WHERE EXISTS (SELECT FROM accounts)
    UNION ALL SELECT 'push-tokens' WHERE EXISTS (SELECT FROM accounts)) AS things
ON CONFLICT ("thing") DO UPDATE SET "due_at" = excluded."due_at", "told_up_to" = 0;
