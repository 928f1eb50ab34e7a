-- AlterTable
ALTER TABLE "versions" ADD COLUMN     "completed_at" TIMESTAMPTZ(3),
ADD COLUMN     "live_from" TIMESTAMPTZ(3),
ADD COLUMN     "live_until" TIMESTAMPTZ(3),
ADD COLUMN     "note" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "number" INTEGER,
ADD COLUMN     "opened_by_name" TEXT,
ADD COLUMN     "released" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "removes_at" TIMESTAMPTZ(3),
ADD COLUMN     "restored_from" INTEGER;

-- CreateTable
CREATE TABLE "delivery_settings" (
    "partner_id" INTEGER NOT NULL,
    "versions_kept" INTEGER NOT NULL,

    CONSTRAINT "delivery_settings_pkey" PRIMARY KEY ("partner_id")
);

-- CreateIndex
CREATE INDEX "versions_partner_id_object_key_idx" ON "versions"("partner_id", "object_key");

-- CreateIndex
CREATE INDEX "versions_released_removes_at_idx" ON "versions"("released", "removes_at");

-- CreateIndex
CREATE UNIQUE INDEX "versions_file_id_number_key" ON "versions"("file_id", "number");

-- Row-level security of delivery_settings
ALTER TABLE "delivery_settings" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "delivery_settings" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "delivery_settings"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- The bytes of versions from before are those of current and reserved ones alone: of all others their removal is scheduled.
UPDATE "versions" version SET "completed_at" = version."opened_at"
WHERE version."status" = 'complete' AND version."file_id" IS NOT NULL;
UPDATE "versions" version SET "released" = true
WHERE version."status" = 'complete' AND version."file_id" IS NOT NULL AND NOT EXISTS (
    SELECT FROM "files" file WHERE file."id" = version."file_id" AND NOT file."deleted"
        AND version."id" IN (file."current_version_id", file."reserved_version_id")
);

-- Where every complete version but the reserved one was live, their order is known. Else some was taken back, and nobody kept
-- which: then the current one alone has a number.
WITH "live" AS (
    SELECT version."id", version."file_id", file."version" AS "last", file."current_version_id",
        row_number() OVER (PARTITION BY version."file_id" ORDER BY version."id") AS "at",
        count(*) OVER (PARTITION BY version."file_id") AS "all"
    FROM "versions" version JOIN "files" file ON file."id" = version."file_id"
    WHERE version."status" = 'complete' AND version."id" IS DISTINCT FROM file."reserved_version_id"
)
UPDATE "versions" version SET "number" = "live"."at", "live_from" = version."opened_at"
FROM "live" WHERE version."id" = "live"."id" AND "live"."all" = "live"."last"
    AND EXISTS (
        SELECT FROM "live" newest WHERE newest."id" = "live"."current_version_id" AND newest."at" = newest."last"
    );
UPDATE "versions" version SET "number" = file."version", "live_from" = version."opened_at"
FROM "files" file WHERE version."id" = file."current_version_id" AND version."number" IS NULL;
UPDATE "versions" version SET "live_until" = next."live_from"
FROM "versions" next WHERE next."file_id" = version."file_id" AND next."number" = version."number" + 1;
