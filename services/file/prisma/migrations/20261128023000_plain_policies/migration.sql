-- What a tenant sees of applications depends on rows of other tables, which have policies themselves. Written as sub-selects these
-- policies became part of every statement, one within the other, hundreds in a list of files: to begin such a statement took longer than
-- to run it. In functions they are planned once in a connection. They run once in a statement, where there is a row of the operator, and
-- with the rights of the caller: their own statements are under the caller's policies, as sub-selects are. The scope is looked at once
-- in each, not for each row.

-- The units that the tenant of the transaction is in, or was.
CREATE FUNCTION own_units() RETURNS SETOF integer LANGUAGE plpgsql STABLE PARALLEL RESTRICTED ROWS 10 AS $$
DECLARE
    own CONSTANT integer := scope.genuine('partner');
BEGIN
    RETURN QUERY SELECT partner.unit_id FROM "partners" partner WHERE partner.partner_id = own AND partner.unit_id IS NOT NULL
        UNION SELECT former.unit_id FROM "former_units" former WHERE former.partner_id = own;
END
$$;

-- The applications that reach the tenant of the transaction, or once did.
CREATE FUNCTION reached_applications() RETURNS SETOF integer LANGUAGE plpgsql STABLE PARALLEL RESTRICTED ROWS 100 AS $$
DECLARE
    own CONSTANT integer := scope.genuine('partner');
BEGIN
    RETURN QUERY SELECT destination.file_id FROM "destinations" destination
        WHERE destination.partner_id = ANY (ARRAY[0, own]);
END
$$;

-- The applications that the unit of the transaction publishes.
CREATE FUNCTION own_applications() RETURNS SETOF integer LANGUAGE plpgsql STABLE PARALLEL RESTRICTED ROWS 100 AS $$
DECLARE
    own CONSTANT integer := scope.genuine('unit');
BEGIN
    RETURN QUERY SELECT file.id FROM "files" file WHERE file.partner_id = 0 AND file.unit_id = own;
END
$$;

-- The operator sees its rows by another policy.
ALTER POLICY "reached" ON "destinations" USING (
    "partner_id" = 0 AND (SELECT scope.genuine('partner')) <> 0 AND ("unit_id" IS NULL OR "unit_id" IN (SELECT own_units()))
);
ALTER POLICY "reached" ON "files" USING (
    "partner_id" = 0 AND "completed_at" IS NOT NULL AND (SELECT scope.genuine('partner')) <> 0
    AND "id" IN (SELECT reached_applications())
);
ALTER POLICY "reached" ON "versions" USING (
    "partner_id" = 0 AND "status" = 'complete' AND (SELECT scope.genuine('partner')) <> 0
    AND "file_id" IN (SELECT reached_applications())
);
ALTER POLICY "unit" ON "versions" USING (
    "partner_id" = 0 AND (SELECT scope.genuine('unit')) IS NOT NULL AND "file_id" IN (SELECT own_applications())
);
ALTER POLICY "reached" ON "rollouts" USING (
    "partner_id" = 0 AND "number" IS NOT NULL AND (SELECT scope.genuine('partner')) <> 0
    AND "file_id" IN (SELECT reached_applications())
);
ALTER POLICY "counted" ON "rollouts" USING (
    "partner_id" = 0 AND "number" IS NOT NULL AND (SELECT scope.genuine('partner')) <> 0
    AND "file_id" IN (SELECT reached_applications())
);
ALTER POLICY "unit" ON "rollouts" USING (
    "partner_id" = 0 AND (SELECT scope.genuine('unit')) IS NOT NULL AND "file_id" IN (SELECT own_applications())
);

-- A page in the middle of a list skips thousands of entries of one of these indexes. The columns that the policies of files look at are
-- in them, so that none of those rows has to be read for it.
DROP INDEX "files_partner_id_deleted_id_idx";
DROP INDEX "files_partner_id_deleted_name_id_idx";
DROP INDEX "files_partner_id_deleted_file_name_id_idx";
DROP INDEX "files_partner_id_deleted_created_at_id_idx";
DROP INDEX "files_partner_id_deleted_updated_at_id_idx";
DROP INDEX "files_partner_id_deleted_deliver_reservation_at_id_idx";
DROP INDEX "files_partner_id_deleted_update_reservation_at_id_idx";
CREATE INDEX "files_by_id_idx" ON "files"("partner_id", "id") INCLUDE ("completed_at", "unit_id") WHERE NOT "deleted";
CREATE INDEX "files_by_name_idx" ON "files"("partner_id", "name", "id") INCLUDE ("completed_at", "unit_id") WHERE NOT "deleted";
CREATE INDEX "files_by_file_name_idx" ON "files"("partner_id", "file_name", "id") INCLUDE ("completed_at", "unit_id") WHERE NOT "deleted";
CREATE INDEX "files_by_creation_idx" ON "files"("partner_id", "created_at", "id") INCLUDE ("completed_at", "unit_id") WHERE NOT "deleted";
CREATE INDEX "files_by_update_idx" ON "files"("partner_id", "updated_at", "id") INCLUDE ("completed_at", "unit_id") WHERE NOT "deleted";
CREATE INDEX "files_by_delivery_idx" ON "files"("partner_id", "deliver_reservation_at", "id") INCLUDE ("completed_at", "unit_id") WHERE NOT "deleted";
CREATE INDEX "files_by_coming_update_idx" ON "files"("partner_id", "update_reservation_at", "id") INCLUDE ("completed_at", "unit_id") WHERE NOT "deleted";
