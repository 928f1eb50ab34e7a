-- Applications are files of the operator, whose rows have the partner 0, which is no tenant: decision 0060.

-- AlterTable
ALTER TABLE "files" ADD COLUMN     "publisher" TEXT,
ADD COLUMN     "sale_type" INTEGER,
ADD COLUMN     "unit_id" INTEGER;

-- AlterTable
ALTER TABLE "partners" ADD COLUMN     "name" TEXT,
ADD COLUMN     "name_folded" TEXT,
ADD COLUMN     "unit_id" INTEGER,
ADD COLUMN     "unit_since" BIGINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "former_units" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "unit_id" INTEGER NOT NULL,
    "added_in" BIGINT NOT NULL,
    "removed_in" BIGINT NOT NULL,

    CONSTRAINT "former_units_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "destinations" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "file_id" INTEGER NOT NULL,
    "unit_id" INTEGER,
    "added_in" BIGINT NOT NULL,
    "removed_in" BIGINT,
    "added_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "destinations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "former_units_partner_id_idx" ON "former_units"("partner_id");

-- CreateIndex
CREATE INDEX "destinations_file_id_partner_id_idx" ON "destinations"("file_id", "partner_id");

-- CreateIndex
CREATE INDEX "destinations_partner_id_file_id_idx" ON "destinations"("partner_id", "file_id");

-- CreateIndex
CREATE INDEX "assignments_file_id_idx" ON "assignments"("file_id");

-- A tenant that moves to another unit loses what its old one publishes, and its players are to be told: they may have been
-- offline, so where it was is kept with the changes between which it was there.
CREATE FUNCTION note_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "former_units" (partner_id, unit_id, added_in, removed_in)
    VALUES (OLD.partner_id, OLD.unit_id, OLD.unit_since, OLD.change_counter + 1);
    NEW.change_counter := OLD.change_counter + 1;
    NEW.unit_since := NEW.change_counter;
    PERFORM pg_notify('file_changes', OLD.partner_id::text);
    RETURN NEW;
END
$$;
CREATE TRIGGER note_move BEFORE UPDATE OF unit_id ON "partners"
    FOR EACH ROW WHEN (OLD.unit_id IS NOT NULL AND NEW.unit_id IS DISTINCT FROM OLD.unit_id)
    EXECUTE FUNCTION note_move();

-- Every tenant may read the clock of applications, which tells nothing of them. Administrators of a unit read its partners, its
-- applications with their versions, and where these go; whatever they change is changed as the operator, partner 0.
CREATE POLICY "operator" ON "partners" FOR SELECT
    USING ("partner_id" = 0 AND (SELECT scope.genuine('partner')) IS NOT NULL);
CREATE POLICY "unit" ON "partners" FOR SELECT USING ("unit_id" = (SELECT scope.genuine('unit')));
CREATE POLICY "unit" ON "former_units" FOR SELECT USING ("unit_id" = (SELECT scope.genuine('unit')));
CREATE POLICY "unit" ON "files" FOR SELECT USING ("unit_id" = (SELECT scope.genuine('unit')));
CREATE POLICY "unit" ON "versions" FOR SELECT USING (
    "partner_id" = 0 AND (SELECT scope.genuine('unit')) IS NOT NULL
    AND EXISTS (SELECT FROM "files" file WHERE file.id = "versions"."file_id")
);
CREATE POLICY "unit" ON "destinations" FOR SELECT USING ("unit_id" = (SELECT scope.genuine('unit')));

-- The operator says where its applications go.
CREATE POLICY "operator" ON "destinations"
    USING ((SELECT scope.genuine('partner')) = 0) WITH CHECK ((SELECT scope.genuine('partner')) = 0);

-- Beside its own rows a tenant reads applications that reach it, or once did, so that its players can be told: never one
-- without complete bytes.
CREATE POLICY "reached" ON "destinations" FOR SELECT USING (
    "partner_id" = 0 AND (SELECT scope.genuine('partner')) IS NOT NULL
    AND ("unit_id" IS NULL
        OR EXISTS (SELECT FROM "partners" partner
            WHERE partner.partner_id = (SELECT scope.genuine('partner')) AND partner.unit_id = "destinations"."unit_id")
        OR EXISTS (SELECT FROM "former_units" former
            WHERE former.partner_id = (SELECT scope.genuine('partner')) AND former.unit_id = "destinations"."unit_id"))
);
CREATE POLICY "reached" ON "files" FOR SELECT USING (
    "partner_id" = 0 AND "completed_at" IS NOT NULL AND (SELECT scope.genuine('partner')) IS NOT NULL
    AND EXISTS (SELECT FROM "destinations" destination
        WHERE destination.file_id = "files"."id"
            AND destination.partner_id = ANY (ARRAY[0, (SELECT scope.genuine('partner'))]))
);
CREATE POLICY "reached" ON "versions" FOR SELECT USING (
    "partner_id" = 0 AND "status" = 'complete' AND (SELECT scope.genuine('partner')) IS NOT NULL
    AND EXISTS (SELECT FROM "destinations" destination
        WHERE destination.file_id = "versions"."file_id"
            AND destination.partner_id = ANY (ARRAY[0, (SELECT scope.genuine('partner'))]))
);
