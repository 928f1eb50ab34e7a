-- What is told is counted by places where its file has had a rollout, which few have. To look for such a file costs a quarter of the
-- statement that counts: what a tenant may see of files, devices and counts is made ready with that, whether a row is found or not.
CREATE OR REPLACE FUNCTION count_added_receipts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM added) THEN RETURN NULL; END IF;
    INSERT INTO "delivery_changes" (partner_id, file_id)
    SELECT DISTINCT partner_id, file_id FROM added ORDER BY 1, 2
    ON CONFLICT DO NOTHING;
    INSERT INTO "delivery_counts" AS known (partner_id, file_id, version, audience_id, status, reason, count, changes)
    SELECT partner_id, file_id, version, audience_id, status, CASE status WHEN 'failed' THEN coalesce(reason, '') ELSE '' END, count(*),
        count(*)
    FROM added WHERE audience_id IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 2, 3, 4, 5, 6
    ON CONFLICT (file_id, version, audience_id, status, reason) DO UPDATE SET count = known.count + excluded.count,
        changes = known.changes + excluded.changes;
    IF EXISTS (SELECT FROM "files" file WHERE file.id IN (SELECT file_id FROM added) AND file.is_staged) THEN
        INSERT INTO "place_counts" AS known (file_id, version, audience_id, status, place, partner_id, count)
        SELECT added.file_id, added.version, added.audience_id, added.status, device.place, added.partner_id, count(*)
        FROM added JOIN "files" file ON file.id = added.file_id AND file.is_staged JOIN "devices" device ON device.id = added.device_id
        WHERE added.audience_id IS NOT NULL
        GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5
        ON CONFLICT (file_id, version, audience_id, status, place) DO UPDATE SET count = known.count + excluded.count;
    END IF;
    IF EXISTS (SELECT FROM added WHERE round IS NOT NULL) THEN
        UPDATE "rollouts" rollout SET reports = rollout.reports + told.reports, failures = rollout.failures + told.failures
        FROM (
            SELECT file_id, version, round, count(*) AS reports, count(*) FILTER (WHERE status = 'failed') AS failures
            FROM added WHERE round IS NOT NULL AND status IN ('installed', 'failed') GROUP BY 1, 2, 3
        ) told
        WHERE rollout.file_id = told.file_id AND rollout.number = told.version AND rollout.round = told.round;
    END IF;
    RETURN NULL;
END
$$;

-- As many leave a count as come into another, of the same versions.
CREATE OR REPLACE FUNCTION count_moved_receipts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM added) THEN RETURN NULL; END IF;
    INSERT INTO "delivery_changes" (partner_id, file_id)
    SELECT DISTINCT partner_id, file_id FROM added ORDER BY 1, 2
    ON CONFLICT DO NOTHING;
    INSERT INTO "delivery_counts" AS known (partner_id, file_id, version, audience_id, status, reason, count, changes)
    SELECT partner_id, file_id, version, audience_id, status, CASE status WHEN 'failed' THEN coalesce(reason, '') ELSE '' END,
        sum(more), count(*)
    FROM (
        SELECT partner_id, file_id, version, audience_id, status, reason, 1 AS more FROM added
        UNION ALL SELECT partner_id, file_id, version, audience_id, status, reason, -1 FROM removed
    ) moved
    WHERE audience_id IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 2, 3, 4, 5, 6
    ON CONFLICT (file_id, version, audience_id, status, reason) DO UPDATE SET count = known.count + excluded.count,
        changes = known.changes + excluded.changes;
    IF EXISTS (SELECT FROM "files" file WHERE file.id IN (SELECT file_id FROM added) AND file.is_staged) THEN
        INSERT INTO "place_counts" AS known (file_id, version, audience_id, status, place, partner_id, count)
        SELECT moved.file_id, moved.version, moved.audience_id, moved.status, device.place, moved.partner_id, sum(moved.more)
        FROM (
            SELECT partner_id, file_id, version, device_id, audience_id, status, 1 AS more FROM added
            UNION ALL SELECT partner_id, file_id, version, device_id, audience_id, status, -1 FROM removed
        ) moved JOIN "files" file ON file.id = moved.file_id AND file.is_staged JOIN "devices" device ON device.id = moved.device_id
        WHERE moved.audience_id IS NOT NULL
        GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5
        ON CONFLICT (file_id, version, audience_id, status, place) DO UPDATE SET count = known.count + excluded.count;
    END IF;
    IF EXISTS (SELECT FROM added WHERE round IS NOT NULL) OR EXISTS (SELECT FROM removed WHERE round IS NOT NULL) THEN
        -- Devices of many tenants are counted in one row: whoever takes several such rows takes them in the same order as all others.
        PERFORM FROM "rollouts" rollout
        WHERE rollout.partner_id = 0 AND (rollout.file_id, rollout.number) IN (
            SELECT file_id, version FROM added WHERE round IS NOT NULL AND status IN ('installed', 'failed')
            UNION SELECT file_id, version FROM removed WHERE round IS NOT NULL AND status IN ('installed', 'failed'))
        ORDER BY rollout.id FOR UPDATE;
        UPDATE "rollouts" rollout SET reports = rollout.reports + told.reports, failures = rollout.failures + told.failures
        FROM (
            SELECT file_id, version, round, sum(more) AS reports, coalesce(sum(more) FILTER (WHERE status = 'failed'), 0) AS failures
            FROM (
                SELECT file_id, version, round, status, 1 AS more FROM added
                UNION ALL SELECT file_id, version, round, status, -1 FROM removed
            ) moved
            WHERE round IS NOT NULL AND status IN ('installed', 'failed') GROUP BY 1, 2, 3
        ) told
        WHERE rollout.file_id = told.file_id AND rollout.number = told.version AND rollout.round = told.round;
    END IF;
    RETURN NULL;
END
$$;
