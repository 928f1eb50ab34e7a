-- CreateTable
CREATE TABLE "document_deletions" (
    "name" TEXT NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "passes" INTEGER NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "document_deletions_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "document_deletions_due_at_idx" ON "document_deletions"("due_at");

-- An administrator of a unit lists the databases of its partners. The unit that a partner is of stands with the partner alone, and
-- changes there.
CREATE POLICY "unit" ON "databases" FOR SELECT
    USING ("partner_id" IN (SELECT "partner_id" FROM "partners" WHERE "unit_id" = (SELECT scope.genuine('unit'))));
