-- AlterTable
ALTER TABLE "files" ADD COLUMN     "base_version" INTEGER,
ADD COLUMN     "is_staged" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "people" ADD COLUMN     "places" INTEGER[] DEFAULT ARRAY[]::INTEGER[];

-- AlterTable
ALTER TABLE "devices" ADD COLUMN     "place" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "receipts" ADD COLUMN     "round" INTEGER;

-- CreateTable
CREATE TABLE "audience_places" (
    "id" SERIAL NOT NULL,
    "audience_id" INTEGER NOT NULL,
    "places" INTEGER[],
    "partner_id" INTEGER NOT NULL,
    "people" INTEGER NOT NULL,

    CONSTRAINT "audience_places_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "place_counts" (
    "file_id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "audience_id" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "place" INTEGER NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "place_counts_pkey" PRIMARY KEY ("file_id","version","audience_id","status","place")
);

-- CreateTable
CREATE TABLE "rollouts" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "file_id" INTEGER NOT NULL,
    "version_id" INTEGER NOT NULL,
    "number" INTEGER,
    "stages" JSONB NOT NULL,
    "failure_percent" INTEGER,
    "min_reports" INTEGER,
    "keeps" INTEGER[],
    "group_ids" INTEGER[],
    "state" TEXT NOT NULL DEFAULT 'open',
    "active" BOOLEAN NOT NULL DEFAULT true,
    "waits_from" TIMESTAMPTZ(3),
    "last_at" TIMESTAMPTZ(3),
    "halted_at" TIMESTAMPTZ(3),
    "halted_by" INTEGER,
    "halted_by_name" TEXT,
    "round" INTEGER NOT NULL DEFAULT 1,
    "reports" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rollouts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "audience_places_partner_id_idx" ON "audience_places"("partner_id");

-- CreateIndex
CREATE UNIQUE INDEX "audience_places_audience_id_places_key" ON "audience_places"("audience_id", "places");

-- CreateIndex
CREATE INDEX "place_counts_partner_id_idx" ON "place_counts"("partner_id");

-- CreateIndex
CREATE UNIQUE INDEX "rollouts_version_id_key" ON "rollouts"("version_id");

-- CreateIndex
CREATE UNIQUE INDEX "rollouts_file_id_number_key" ON "rollouts"("file_id", "number");

-- CreateIndex
CREATE INDEX "rollouts_partner_id_last_at_idx" ON "rollouts"("partner_id", "last_at");

-- Those that decide about somebody are few: all others are passed over.
CREATE INDEX "rollouts_active_idx" ON "rollouts"("partner_id", "file_id") WHERE "active";

-- Row-level security of audience_places
ALTER TABLE "audience_places" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "audience_places" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "audience_places"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of place_counts
ALTER TABLE "place_counts" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "place_counts" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "place_counts"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of rollouts
ALTER TABLE "rollouts" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "rollouts" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "rollouts"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- The same as `placeOf`.
CREATE FUNCTION place_of(uuid text) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
    SELECT ((get_byte(hash, 0) * 256 + get_byte(hash, 1)) * 256 + get_byte(hash, 2)) % 100
    FROM (SELECT sha256(convert_to(uuid, 'UTF8')) AS hash) hashed
$$;

CREATE FUNCTION set_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.place := place_of(NEW.uuid);
    RETURN NEW;
END
$$;
CREATE TRIGGER set_place BEFORE INSERT OR UPDATE OF "uuid" ON "devices" FOR EACH ROW EXECUTE FUNCTION set_place();

-- The places of a person are those of their devices, whichever is written first.
CREATE FUNCTION set_places() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.places := ARRAY(SELECT place FROM "devices" WHERE user_id = NEW.user_id ORDER BY place);
    RETURN NEW;
END
$$;
CREATE TRIGGER set_places BEFORE INSERT ON "people" FOR EACH ROW EXECUTE FUNCTION set_places();
CREATE FUNCTION follow_places() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "people" person SET places = ARRAY(SELECT place FROM "devices" WHERE user_id = person.user_id ORDER BY place)
    WHERE person.user_id IN (SELECT user_id FROM written);
    RETURN NULL;
END
$$;
CREATE TRIGGER follow_inserted AFTER INSERT ON "devices" REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION follow_places();
CREATE TRIGGER follow_deleted AFTER DELETE ON "devices" REFERENCING OLD TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION follow_places();

UPDATE "devices" SET place = place_of(uuid);
UPDATE "people" person SET places = ARRAY(SELECT place FROM "devices" WHERE user_id = person.user_id ORDER BY place);
INSERT INTO "audience_places" (audience_id, places, partner_id, people)
SELECT audience_id, places, partner_id, count(*) FROM "people" WHERE audience_id IS NOT NULL GROUP BY 1, 2, 3;

CREATE FUNCTION count_audience_places_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "audience_places" AS known (audience_id, places, partner_id, people)
    SELECT audience_id, places, partner_id, count(*) FROM added WHERE audience_id IS NOT NULL
    GROUP BY 1, 2, 3 ORDER BY 1, 2
    ON CONFLICT (audience_id, places) DO UPDATE SET people = known.people + excluded.people;
    RETURN NULL;
END
$$;
CREATE FUNCTION count_audience_places_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "audience_places" known SET people = known.people - gone.people
    FROM (SELECT audience_id, places, count(*) AS people FROM removed WHERE audience_id IS NOT NULL GROUP BY 1, 2) gone
    WHERE known.audience_id = gone.audience_id AND known.places = gone.places;
    DELETE FROM "audience_places" WHERE people = 0 AND audience_id IN (SELECT audience_id FROM removed);
    RETURN NULL;
END
$$;
CREATE TRIGGER count_places_in_inserted AFTER INSERT ON "people" REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_audience_places_in();
CREATE TRIGGER count_places_in_updated AFTER UPDATE ON "people" REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_audience_places_in();
CREATE TRIGGER count_places_out_updated AFTER UPDATE ON "people" REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION count_audience_places_out();
CREATE TRIGGER count_places_out_deleted AFTER DELETE ON "people" REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION count_audience_places_out();

-- What is told of a file that has had a rollout is counted by places, and for the limit of that rollout.
CREATE FUNCTION count_places_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "place_counts" AS known (file_id, version, audience_id, status, place, partner_id, count)
    SELECT added.file_id, added.version, added.audience_id, added.status, device.place, added.partner_id, count(*)
    FROM added JOIN "files" file ON file.id = added.file_id AND file.is_staged JOIN "devices" device ON device.id = added.device_id
    WHERE added.audience_id IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (file_id, version, audience_id, status, place) DO UPDATE SET count = known.count + excluded.count;
    UPDATE "rollouts" rollout SET reports = rollout.reports + told.reports, failures = rollout.failures + told.failures
    FROM (
        SELECT file_id, version, round, count(*) AS reports, count(*) FILTER (WHERE status = 'failed') AS failures
        FROM added WHERE round IS NOT NULL AND status IN ('installed', 'failed') GROUP BY 1, 2, 3
    ) told
    WHERE rollout.file_id = told.file_id AND rollout.number = told.version AND rollout.round = told.round;
    RETURN NULL;
END
$$;
CREATE FUNCTION count_places_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "place_counts" known SET count = known.count - gone.count
    FROM (
        SELECT removed.file_id, removed.version, removed.audience_id, removed.status, device.place, count(*) AS count
        FROM removed JOIN "devices" device ON device.id = removed.device_id
        WHERE removed.audience_id IS NOT NULL GROUP BY 1, 2, 3, 4, 5
    ) gone
    WHERE known.file_id = gone.file_id AND known.version = gone.version AND known.audience_id = gone.audience_id
        AND known.status = gone.status AND known.place = gone.place;
    UPDATE "rollouts" rollout SET reports = rollout.reports - told.reports, failures = rollout.failures - told.failures
    FROM (
        SELECT file_id, version, round, count(*) AS reports, count(*) FILTER (WHERE status = 'failed') AS failures
        FROM removed WHERE round IS NOT NULL AND status IN ('installed', 'failed') GROUP BY 1, 2, 3
    ) told
    WHERE rollout.file_id = told.file_id AND rollout.number = told.version AND rollout.round = told.round;
    RETURN NULL;
END
$$;
CREATE TRIGGER count_places_in_inserted AFTER INSERT ON "receipts" REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_places_in();
CREATE TRIGGER count_places_in_updated AFTER UPDATE ON "receipts" REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_places_in();
CREATE TRIGGER count_places_out_updated AFTER UPDATE ON "receipts" REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION count_places_out();
CREATE TRIGGER count_places_out_deleted AFTER DELETE ON "receipts" REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION count_places_out();
