-- The stages of applications are the operator's, partner 0. Administrators of the unit that publishes one read them, and so does
-- every tenant that the application reaches, or once did, as it reads the application.
CREATE POLICY "unit" ON "rollouts" FOR SELECT USING (
    "partner_id" = 0 AND (SELECT scope.genuine('unit')) IS NOT NULL
    AND EXISTS (SELECT FROM "files" file WHERE file.id = "rollouts"."file_id")
);
CREATE POLICY "reached" ON "rollouts" FOR SELECT USING (
    "partner_id" = 0 AND "number" IS NOT NULL AND (SELECT scope.genuine('partner')) IS NOT NULL
    AND EXISTS (SELECT FROM "destinations" destination
        WHERE destination.file_id = "rollouts"."file_id"
            AND destination.partner_id = ANY (ARRAY[0, (SELECT scope.genuine('partner'))]))
);

-- What the devices of a tenant tell is counted in the row of its application's stages: nothing else of it is the tenant's to change.
CREATE POLICY "counted" ON "rollouts" FOR UPDATE USING (
    "partner_id" = 0 AND "number" IS NOT NULL AND (SELECT scope.genuine('partner')) IS NOT NULL
    AND EXISTS (SELECT FROM "destinations" destination
        WHERE destination.file_id = "rollouts"."file_id"
            AND destination.partner_id = ANY (ARRAY[0, (SELECT scope.genuine('partner'))]))
);
CREATE FUNCTION count_alone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF scope.genuine('partner') <> 0
        AND to_jsonb(NEW) - 'reports' - 'failures' IS DISTINCT FROM to_jsonb(OLD) - 'reports' - 'failures' THEN
        RAISE insufficient_privilege USING MESSAGE = 'A tenant counts for the stages of an application, and changes nothing else of them';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER count_alone BEFORE UPDATE ON "rollouts"
    FOR EACH ROW WHEN (OLD.partner_id = 0) EXECUTE FUNCTION count_alone();

-- Devices of many tenants are counted in one row: whoever takes several such rows takes them in the same order as all others.
CREATE OR REPLACE FUNCTION count_places_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "place_counts" known SET count = known.count - gone.count
    FROM (
        SELECT removed.file_id, removed.version, removed.audience_id, removed.status, device.place, count(*) AS count
        FROM removed JOIN "devices" device ON device.id = removed.device_id
        WHERE removed.audience_id IS NOT NULL GROUP BY 1, 2, 3, 4, 5
    ) gone
    WHERE known.file_id = gone.file_id AND known.version = gone.version AND known.audience_id = gone.audience_id
        AND known.status = gone.status AND known.place = gone.place;
    PERFORM FROM "rollouts" rollout
    WHERE rollout.partner_id = 0 AND (rollout.file_id, rollout.number) IN (
        SELECT file_id, version FROM removed WHERE round IS NOT NULL AND status IN ('installed', 'failed'))
    ORDER BY rollout.id FOR UPDATE;
    UPDATE "rollouts" rollout SET reports = rollout.reports - told.reports, failures = rollout.failures - told.failures
    FROM (
        SELECT file_id, version, round, count(*) AS reports, count(*) FILTER (WHERE status = 'failed') AS failures
        FROM removed WHERE round IS NOT NULL AND status IN ('installed', 'failed') GROUP BY 1, 2, 3
    ) told
    WHERE rollout.file_id = told.file_id AND rollout.number = told.version AND rollout.round = told.round;
    RETURN NULL;
END
$$;

-- What is told of applications is counted by places from their first version on: a count that begins later would have to wait for the
-- receipts of all tenants.
LOCK TABLE "receipts" IN SHARE ROW EXCLUSIVE MODE;
UPDATE "files" SET is_staged = true WHERE partner_id = 0;
INSERT INTO "place_counts" (file_id, version, audience_id, status, place, partner_id, count)
SELECT receipt.file_id, receipt.version, receipt.audience_id, receipt.status, device.place, receipt.partner_id, count(*)
FROM "files" file
JOIN "receipts" receipt ON receipt.file_id = file.id
JOIN "devices" device ON device.id = receipt.device_id
WHERE file.partner_id = 0 AND receipt.audience_id IS NOT NULL
GROUP BY 1, 2, 3, 4, 5, 6;
