-- CreateTable
CREATE TABLE "keepings" (
    "partner_id" INTEGER NOT NULL,
    "file_id" INTEGER NOT NULL,
    "versions" INTEGER[],
    "passed" INTEGER NOT NULL DEFAULT 0,
    "ready" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "keepings_pkey" PRIMARY KEY ("partner_id","file_id")
);

-- CreateTable
CREATE TABLE "keepers" (
    "partner_id" INTEGER NOT NULL,
    "file_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "audience_id" INTEGER NOT NULL,
    "places" INTEGER[],
    "devices" INTEGER[],
    "told" TEXT[],

    CONSTRAINT "keepers_pkey" PRIMARY KEY ("partner_id","file_id","user_id")
);

-- CreateTable
CREATE TABLE "keeper_shapes" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "file_id" INTEGER NOT NULL,
    "audience_id" INTEGER NOT NULL,
    "places" INTEGER[],
    "devices" INTEGER[],
    "people" INTEGER NOT NULL,

    CONSTRAINT "keeper_shapes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "keeper_shapes_partner_id_file_id_audience_id_places_devices_key" ON "keeper_shapes"("partner_id", "file_id", "audience_id", "places", "devices");

-- CreateTable
CREATE TABLE "keeper_states" (
    "partner_id" INTEGER NOT NULL,
    "file_id" INTEGER NOT NULL,
    "audience_id" INTEGER NOT NULL,
    "device" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "keeper_states_pkey" PRIMARY KEY ("partner_id","file_id","audience_id","device","version","status")
);

-- Row-level security of keepings
ALTER TABLE "keepings" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "keepings" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "keepings"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of keepers
ALTER TABLE "keepers" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "keepers" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "keepers"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of keeper_shapes
ALTER TABLE "keeper_shapes" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "keeper_shapes" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "keeper_shapes"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of keeper_states
ALTER TABLE "keeper_states" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "keeper_states" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "keeper_states"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- People of a tenant who have a device with one of `halted`, versions of a file, installed, as they are now: of each of their devices its
-- place, and above that a bit for each of these versions that it has; and what was told of the file by those with such a bit. Whoever has
-- no such device has no row. Done again it changes nothing.
CREATE FUNCTION keep_keepers(of_partner integer, of_file integer, halted integer[], users integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    WITH device AS MATERIALIZED (
        SELECT one.id, one.user_id, one.place + (
            SELECT coalesce(sum(128 << array_position(halted, receipt.version) - 1), 0)::integer FROM "receipts" receipt
            WHERE receipt.file_id = of_file AND receipt.version = ANY (halted) AND receipt.device_id = one.id
                AND receipt.status = 'installed') AS code
        FROM "devices" one WHERE one.user_id = ANY (users)
    ), shape AS (
        SELECT user_id, array_agg(code ORDER BY code) AS devices FROM device GROUP BY 1 HAVING max(code) >= 128
    ), told AS (
        SELECT device.user_id, array_agg(device.code || ' ' || receipt.version || ' ' || receipt.status
            ORDER BY device.code, device.id, receipt.version) AS list
        FROM device CROSS JOIN LATERAL (
            SELECT version, status FROM "receipts" WHERE file_id = of_file AND device_id = device.id OFFSET 0
        ) receipt
        WHERE device.code >= 128 GROUP BY 1
    ), wanted AS MATERIALIZED (
        SELECT person.user_id, person.audience_id, person.places, shape.devices, told.list
        FROM shape JOIN told ON told.user_id = shape.user_id JOIN "people" person ON person.user_id = shape.user_id
        WHERE person.audience_id IS NOT NULL
    ), gone AS (
        DELETE FROM "keepers" WHERE partner_id = of_partner AND file_id = of_file AND user_id = ANY (users)
            AND user_id NOT IN (SELECT user_id FROM wanted)
    )
    INSERT INTO "keepers" AS known (partner_id, file_id, user_id, audience_id, places, devices, told)
    SELECT of_partner, of_file, user_id, audience_id, places, devices, list FROM wanted
    ON CONFLICT (partner_id, file_id, user_id) DO UPDATE SET audience_id = excluded.audience_id, places = excluded.places,
        devices = excluded.devices, told = excluded.told
    WHERE (known.audience_id, known.places, known.devices, known.told)
        IS DISTINCT FROM (excluded.audience_id, excluded.places, excluded.devices, excluded.told);
END
$$;

-- What is told of a file, and what becomes of people and their devices, is followed as long as versions of it are halted.
CREATE FUNCTION follow_receipts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM "keepings") THEN RETURN NULL; END IF;
    PERFORM keep_keepers(keeping.partner_id, keeping.file_id, keeping.versions, found.users)
    FROM "keepings" keeping CROSS JOIN LATERAL (
        SELECT array_agg(DISTINCT told.user_id) AS users FROM (
            SELECT written.version, (SELECT user_id FROM "devices" WHERE id = written.device_id) AS user_id FROM written
            WHERE written.partner_id = keeping.partner_id AND written.file_id = keeping.file_id
        ) told
        WHERE told.version = ANY (keeping.versions) OR EXISTS (
            SELECT FROM "keepers" keeper WHERE keeper.partner_id = keeping.partner_id AND keeper.file_id = keeping.file_id
                AND keeper.user_id = told.user_id)
    ) found
    WHERE keeping.versions <> '{}' AND found.users IS NOT NULL;
    RETURN NULL;
END
$$;
CREATE TRIGGER follow_inserted AFTER INSERT ON "receipts" REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION follow_receipts();
CREATE TRIGGER follow_updated AFTER UPDATE ON "receipts" REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION follow_receipts();
CREATE TRIGGER follow_deleted AFTER DELETE ON "receipts" REFERENCING OLD TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION follow_receipts();

CREATE FUNCTION follow_people() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM "keepings") THEN RETURN NULL; END IF;
    PERFORM keep_keepers(keeping.partner_id, keeping.file_id, keeping.versions, found.users)
    FROM "keepings" keeping CROSS JOIN LATERAL (
        SELECT array_agg(user_id) AS users FROM written WHERE partner_id = keeping.partner_id
    ) found
    WHERE keeping.versions <> '{}' AND found.users IS NOT NULL;
    RETURN NULL;
END
$$;
-- After a change of their devices the places of people are written, whether they are others or not.
CREATE TRIGGER follow_inserted AFTER INSERT ON "people" REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION follow_people();
CREATE TRIGGER follow_updated AFTER UPDATE ON "people" REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION follow_people();
CREATE TRIGGER follow_deleted AFTER DELETE ON "people" REFERENCING OLD TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION follow_people();

CREATE FUNCTION count_keepers_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "keeper_shapes" AS known (partner_id, file_id, audience_id, places, devices, people)
    SELECT partner_id, file_id, audience_id, places, devices, count(*) FROM added
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (partner_id, file_id, audience_id, places, devices) DO UPDATE SET people = known.people + excluded.people;
    INSERT INTO "keeper_states" AS known (partner_id, file_id, audience_id, device, version, status, count)
    SELECT partner_id, file_id, audience_id, split_part(one, ' ', 1)::integer, split_part(one, ' ', 2)::integer,
        split_part(one, ' ', 3), count(*)
    FROM added CROSS JOIN unnest(told) one
    GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (partner_id, file_id, audience_id, device, version, status) DO UPDATE SET count = known.count + excluded.count;
    RETURN NULL;
END
$$;
CREATE FUNCTION count_keepers_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "keeper_shapes" known SET people = known.people - gone.people
    FROM (
        SELECT partner_id, file_id, audience_id, places, devices, count(*) AS people FROM removed GROUP BY 1, 2, 3, 4, 5
    ) gone
    WHERE known.partner_id = gone.partner_id AND known.file_id = gone.file_id AND known.audience_id = gone.audience_id
        AND known.places = gone.places AND known.devices = gone.devices;
    DELETE FROM "keeper_shapes" known USING (SELECT DISTINCT partner_id, file_id, audience_id FROM removed) gone
    WHERE known.people = 0 AND known.partner_id = gone.partner_id AND known.file_id = gone.file_id
        AND known.audience_id = gone.audience_id;
    UPDATE "keeper_states" known SET count = known.count - gone.count
    FROM (
        SELECT partner_id, file_id, audience_id, split_part(one, ' ', 1)::integer AS device, split_part(one, ' ', 2)::integer AS version,
            split_part(one, ' ', 3) AS status, count(*) AS count
        FROM removed CROSS JOIN unnest(told) one GROUP BY 1, 2, 3, 4, 5, 6
    ) gone
    WHERE known.partner_id = gone.partner_id AND known.file_id = gone.file_id AND known.audience_id = gone.audience_id
        AND known.device = gone.device AND known.version = gone.version AND known.status = gone.status;
    DELETE FROM "keeper_states" known USING (SELECT DISTINCT partner_id, file_id, audience_id FROM removed) gone
    WHERE known.count = 0 AND known.partner_id = gone.partner_id AND known.file_id = gone.file_id
        AND known.audience_id = gone.audience_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER count_in_inserted AFTER INSERT ON "keepers" REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_keepers_in();
CREATE TRIGGER count_in_updated AFTER UPDATE ON "keepers" REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_keepers_in();
CREATE TRIGGER count_out_updated AFTER UPDATE ON "keepers" REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION count_keepers_out();
CREATE TRIGGER count_out_deleted AFTER DELETE ON "keepers" REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION count_keepers_out();
