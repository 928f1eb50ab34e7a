-- Each change of a count takes a number, even where the count is there already: of those that an integer holds there would be too few in
-- time. Nothing but the functions of these counts reads the numbers, so that the version before runs with them.
ALTER TABLE "audience_places" ALTER COLUMN "id" TYPE bigint;
ALTER SEQUENCE "audience_places_id_seq" AS bigint;
ALTER TABLE "keeper_shapes" ALTER COLUMN "id" TYPE bigint;
ALTER SEQUENCE "keeper_shapes_id_seq" AS bigint;

CREATE OR REPLACE FUNCTION count_moved_audience_places() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    emptied bigint[];
BEGIN
    WITH counted AS (
        INSERT INTO "audience_places" AS known (audience_id, places, partner_id, people)
        SELECT audience_id, places, partner_id, sum(more)
        FROM (
            SELECT audience_id, places, partner_id, 1 AS more FROM added
            UNION ALL SELECT audience_id, places, partner_id, -1 FROM removed
        ) moved
        WHERE audience_id IS NOT NULL
        GROUP BY 1, 2, 3 HAVING sum(more) <> 0 ORDER BY 1, 2
        ON CONFLICT (audience_id, places) DO UPDATE SET people = known.people + excluded.people
        RETURNING id, people
    )
    SELECT array_agg(id) INTO emptied FROM counted WHERE people = 0;
    IF emptied IS NOT NULL THEN DELETE FROM "audience_places" WHERE id = ANY (emptied); END IF;
    RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION count_audience_places_out() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    emptied bigint[];
BEGIN
    WITH counted AS (
        INSERT INTO "audience_places" AS known (audience_id, places, partner_id, people)
        SELECT audience_id, places, partner_id, -count(*) FROM removed WHERE audience_id IS NOT NULL
        GROUP BY 1, 2, 3 ORDER BY 1, 2
        ON CONFLICT (audience_id, places) DO UPDATE SET people = known.people + excluded.people
        RETURNING id, people
    )
    SELECT array_agg(id) INTO emptied FROM counted WHERE people = 0;
    IF emptied IS NOT NULL THEN DELETE FROM "audience_places" WHERE id = ANY (emptied); END IF;
    RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION count_keepers_out() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    emptied bigint[];
BEGIN
    WITH counted AS (
        INSERT INTO "keeper_shapes" AS known (partner_id, file_id, audience_id, places, devices, people)
        SELECT partner_id, file_id, audience_id, places, devices, -count(*) FROM removed
        GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
        ON CONFLICT (partner_id, file_id, audience_id, places, devices) DO UPDATE SET people = known.people + excluded.people
        RETURNING id, people
    )
    SELECT array_agg(id) INTO emptied FROM counted WHERE people = 0;
    IF emptied IS NOT NULL THEN DELETE FROM "keeper_shapes" WHERE id = ANY (emptied); END IF;
    UPDATE "keeper_states" known SET count = known.count - gone.count
    FROM (
        SELECT partner_id, file_id, audience_id, split_part(one, ' ', 1)::integer AS device, split_part(one, ' ', 2)::integer AS version,
            split_part(one, ' ', 3) AS status, count(*) AS count
        FROM removed CROSS JOIN unnest(told) one GROUP BY 1, 2, 3, 4, 5, 6
    ) gone
    WHERE known.partner_id = gone.partner_id AND known.file_id = gone.file_id AND known.audience_id = gone.audience_id
        AND known.device = gone.device AND known.version = gone.version AND known.status = gone.status;
    DELETE FROM "keeper_states" known USING (
        SELECT DISTINCT partner_id, file_id, audience_id, split_part(one, ' ', 1)::integer AS device,
            split_part(one, ' ', 2)::integer AS version, split_part(one, ' ', 3) AS status
        FROM removed CROSS JOIN unnest(told) one
    ) gone
    WHERE known.count = 0 AND known.partner_id = gone.partner_id AND known.file_id = gone.file_id
        AND known.audience_id = gone.audience_id AND known.device = gone.device AND known.version = gone.version
        AND known.status = gone.status;
    RETURN NULL;
END
$$;
