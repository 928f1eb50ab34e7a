-- The tenant service keeps inactive users, too, since a tenant that has no others is not deleted: it is told of those from before.
SELECT set_config('app.scope', 'system', true);

-- Processes of the version before may run beside those of this one while it is installed, and would pass over what is told.
INSERT INTO "retellings" ("thing", "due_at")
SELECT 'people', now() + interval '15 minutes' WHERE EXISTS (SELECT FROM accounts)
ON CONFLICT ("thing") DO UPDATE SET "due_at" = excluded."due_at", "told_up_to" = 0;
