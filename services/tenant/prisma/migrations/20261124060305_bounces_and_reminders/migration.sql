-- Bounces by themselves rather than their number, mails by day, and when somebody is told next that a licence ends. The rows of
-- all tenants are filled in.
SELECT set_config('app.scope', 'system', true);

-- CreateEnum
CREATE TYPE "bounce_kind" AS ENUM ('hard', 'soft');

-- AlterTable
ALTER TABLE "partners" DROP COLUMN "last_bounce_at",
DROP COLUMN "licence_told_days",
DROP COLUMN "licence_told_for",
DROP COLUMN "mail_count",
ADD COLUMN     "next_reminder_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "daily_mails" (
    "partner_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "sent" INTEGER NOT NULL,

    CONSTRAINT "daily_mails_pkey" PRIMARY KEY ("partner_id","day")
);

-- CreateTable
CREATE TABLE "bounces" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "kind" "bounce_kind" NOT NULL,
    "reason" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bounces_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "daily_mails_day_idx" ON "daily_mails"("day");

-- CreateIndex
CREATE INDEX "bounces_partner_id_occurred_at_id_idx" ON "bounces"("partner_id", "occurred_at", "id");

-- CreateIndex
CREATE INDEX "bounces_occurred_at_partner_id_idx" ON "bounces"("occurred_at", "partner_id");

-- CreateIndex
CREATE INDEX "partners_next_reminder_at_idx" ON "partners"("next_reminder_at");

-- Of earlier bounces nothing but their number is known, and the number is that of those that can be looked at.
UPDATE "partners" SET "bounce_count" = 0;

-- At 9:00, in the zone that all partners have so far, 30, 7 and 1 days before the end.
UPDATE "partners" SET "next_reminder_at" = (
  SELECT min(at) FROM (
    SELECT ((license_expired_on AT TIME ZONE time_zone)::date - days + time '09:00') AT TIME ZONE time_zone
    FROM unnest(ARRAY[30, 7, 1]) AS days
  ) reminders (at) WHERE at > now()
) WHERE license_expired_on > now();

-- What the administrators of a unit see of its partners.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['bounces', 'daily_mails'] LOOP
        EXECUTE format('CREATE POLICY "unit" ON %I FOR SELECT
          USING (partner_id IN (SELECT partner_id FROM partners WHERE unit_id = (SELECT scope.genuine(''unit''))))', name);
    END LOOP;
END
$$;
