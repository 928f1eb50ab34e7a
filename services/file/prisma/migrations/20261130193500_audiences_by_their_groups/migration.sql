-- An audience is found by a hash of its groups. An index takes no array of many groups, so that who was in about a thousand could not be
-- kept; and policies have an array compared after them, so that all audiences of the tenant were read for one.
CREATE FUNCTION audience_key(group_ids integer[]) RETURNS bytea LANGUAGE sql IMMUTABLE AS
    'SELECT sha256(convert_to(array_to_string(group_ids, '',''), ''UTF8''))';

-- Who is writing has ended, so that nobody comes into an audience at this moment.
LOCK TABLE "audiences" IN ACCESS EXCLUSIVE MODE;

-- Those that nobody is in any more go, as they do from now on. How much has changed may never become less: the audience of who is in no
-- group takes it.
WITH gone AS (
    DELETE FROM "audiences" WHERE people = 0 AND devices = 0 AND group_ids <> '{}' RETURNING partner_id, changes
)
INSERT INTO "audiences" AS known (partner_id, group_ids, changes)
SELECT partner_id, '{}'::integer[], sum(changes) + 1 FROM gone GROUP BY 1
ON CONFLICT (partner_id, group_ids) DO UPDATE SET changes = known.changes + excluded.changes;
DELETE FROM "delivery_counts" WHERE count = 0 AND audience_id NOT IN (SELECT id FROM "audiences");
DELETE FROM "place_counts" WHERE count = 0 AND audience_id NOT IN (SELECT id FROM "audiences");

-- DropIndex
DROP INDEX "audiences_partner_id_group_ids_key";

-- AlterTable
ALTER TABLE "audiences" ADD COLUMN     "key" BYTEA NOT NULL GENERATED ALWAYS AS (audience_key("group_ids")) STORED;

-- CreateIndex
CREATE UNIQUE INDEX "audiences_partner_id_key_key" ON "audiences"("partner_id", "key");

-- What is counted of an audience goes with it.
-- DropIndex
DROP INDEX "delivery_counts_partner_id_idx";

-- DropIndex
DROP INDEX "place_counts_partner_id_idx";

-- CreateIndex
CREATE INDEX "delivery_counts_partner_id_audience_id_idx" ON "delivery_counts"("partner_id", "audience_id");

-- CreateIndex
CREATE INDEX "place_counts_partner_id_audience_id_idx" ON "place_counts"("partner_id", "audience_id");
