-- The file service keeps notifications and certificates for the calendar: it is told of those that were made before.
SELECT set_config('app.scope', 'system', true);

-- CreateTable
CREATE TABLE "retellings" (
    "thing" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "told_up_to" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "retellings_pkey" PRIMARY KEY ("thing")
);

-- Processes of the version before may run beside those of this one while it is installed, and would pass over what is told.
INSERT INTO "retellings" ("thing", "due_at")
SELECT thing, now() + interval '15 minutes' FROM (
    SELECT 'certifications' AS thing WHERE EXISTS (SELECT FROM certifications)
    UNION ALL SELECT 'notifications' WHERE EXISTS (SELECT FROM notifications WHERE status = 'waiting')) AS things;
