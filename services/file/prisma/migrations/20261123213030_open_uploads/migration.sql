-- AlterTable
ALTER TABLE "files" ADD COLUMN     "assigned_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "versions" ADD COLUMN     "active_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "fingerprint" TEXT,
ADD COLUMN     "last_part_at" TIMESTAMPTZ(3),
ADD COLUMN     "stored_bytes" BIGINT NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "files_partner_id_deleted_assigned_at_id_idx" ON "files"("partner_id", "deleted", "assigned_at", "id");

-- CreateIndex
CREATE INDEX "versions_status_active_at_idx" ON "versions"("status", "active_at");

-- CreateIndex
CREATE INDEX "versions_partner_id_status_idx" ON "versions"("partner_id", "status");

-- An upload lives from its last part on; of those that are open now nobody kept when that was.
UPDATE "versions" SET "active_at" = "opened_at";

-- Whoever assigns a file or ends an assignment, `assigned_at` follows: the list of files that nobody gets, and since when the
-- others are delivered, is read from the rows of files alone.
CREATE FUNCTION note_assigned() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "files" file SET "assigned_at" = added.at
    FROM (SELECT partner_id, file_id, min(coalesce(added_at, now())) AS at FROM changed
        WHERE removed_in IS NULL GROUP BY partner_id, file_id) added
    WHERE file.partner_id = added.partner_id AND file.id = added.file_id AND file.assigned_at IS NULL;
    RETURN NULL;
END
$$;
CREATE FUNCTION note_unassigned() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "files" file SET "assigned_at" = NULL
    FROM (SELECT DISTINCT partner_id, file_id FROM changed WHERE removed_in IS NOT NULL) ended
    WHERE file.partner_id = ended.partner_id AND file.id = ended.file_id AND file.assigned_at IS NOT NULL
        AND NOT EXISTS (
            SELECT FROM "assignments" assignment
            WHERE assignment.partner_id = ended.partner_id AND assignment.file_id = ended.file_id
                AND assignment.removed_in IS NULL
        );
    RETURN NULL;
END
$$;
CREATE TRIGGER note_assigned AFTER INSERT ON "assignments" REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION note_assigned();
CREATE TRIGGER note_unassigned AFTER UPDATE ON "assignments" REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION note_unassigned();

UPDATE "files" file SET "assigned_at" = assigned.at
FROM (SELECT partner_id, file_id, min(added_at) AS at FROM "assignments" WHERE removed_in IS NULL GROUP BY partner_id, file_id) assigned
WHERE file.partner_id = assigned.partner_id AND file.id = assigned.file_id;
UPDATE "files" file SET "assigned_at" = coalesce(file.completed_at, file.created_at)
WHERE file.assigned_at IS NULL AND EXISTS (
    SELECT FROM "assignments" assignment
    WHERE assignment.partner_id = file.partner_id AND assignment.file_id = file.id AND assignment.removed_in IS NULL
);
