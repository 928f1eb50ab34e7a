-- What a tenant sees of applications depends on rows of other tables, which have policies themselves. Written as sub-selects these
-- policies became part of every statement, one within the other, hundreds in a list of files: to begin such a statement took longer than
-- to run it. In functions they are planned once in a connection, and run only where there is a row of the operator. Functions have the
-- rights of the caller: their statements are under the caller's policies, as sub-selects are.

-- Whether the tenant of the transaction is of this unit, or was.
CREATE FUNCTION was_in_unit(its_unit integer) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL RESTRICTED AS $$
DECLARE
    own CONSTANT integer := scope.genuine('partner');
BEGIN
    RETURN EXISTS (SELECT FROM "partners" partner WHERE partner.partner_id = own AND partner.unit_id = its_unit)
        OR EXISTS (SELECT FROM "former_units" former WHERE former.partner_id = own AND former.unit_id = its_unit);
END
$$;

-- Whether this application reaches the tenant of the transaction, or once did.
CREATE FUNCTION reaches_tenant(application integer) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL RESTRICTED AS $$
BEGIN
    RETURN EXISTS (SELECT FROM "destinations" destination
        WHERE destination.file_id = application
            AND destination.partner_id = ANY (ARRAY[0, scope.genuine('partner')]));
END
$$;

-- Whether the transaction may read the file.
CREATE FUNCTION may_read_file(its_id integer) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL RESTRICTED AS $$
BEGIN
    RETURN EXISTS (SELECT FROM "files" file WHERE file.id = its_id);
END
$$;

ALTER POLICY "reached" ON "destinations" USING (
    "partner_id" = 0 AND (SELECT scope.genuine('partner')) IS NOT NULL AND ("unit_id" IS NULL OR was_in_unit("unit_id"))
);
ALTER POLICY "reached" ON "files" USING (
    "partner_id" = 0 AND "completed_at" IS NOT NULL AND (SELECT scope.genuine('partner')) IS NOT NULL AND reaches_tenant("id")
);
ALTER POLICY "reached" ON "versions" USING (
    "partner_id" = 0 AND "status" = 'complete' AND (SELECT scope.genuine('partner')) IS NOT NULL AND reaches_tenant("file_id")
);
ALTER POLICY "unit" ON "versions" USING (
    "partner_id" = 0 AND (SELECT scope.genuine('unit')) IS NOT NULL AND may_read_file("file_id")
);
ALTER POLICY "reached" ON "rollouts" USING (
    "partner_id" = 0 AND "number" IS NOT NULL AND (SELECT scope.genuine('partner')) IS NOT NULL AND reaches_tenant("file_id")
);
ALTER POLICY "counted" ON "rollouts" USING (
    "partner_id" = 0 AND "number" IS NOT NULL AND (SELECT scope.genuine('partner')) IS NOT NULL AND reaches_tenant("file_id")
);
ALTER POLICY "unit" ON "rollouts" USING (
    "partner_id" = 0 AND (SELECT scope.genuine('unit')) IS NOT NULL AND may_read_file("file_id")
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
