-- The file service keeps people and devices, to tell what became of deliveries: it is told of what was there before.
SELECT set_config('app.scope', 'system', true);

-- Processes of the version before may run beside those of this one while it is installed, and would pass over what is told.
INSERT INTO "retellings" ("thing", "due_at")
SELECT thing, now() + interval '15 minutes' FROM (
    SELECT 'people' AS thing WHERE EXISTS (SELECT FROM accounts)
    UNION ALL SELECT 'devices' WHERE EXISTS (SELECT FROM devices)) AS things
ON CONFLICT ("thing") DO UPDATE SET "due_at" = excluded."due_at", "told_up_to" = 0;
