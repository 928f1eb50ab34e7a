-- Those of a deleted tenant are found by these. Rows of imports are there only while one is under way.
-- CreateIndex
CREATE INDEX "import_changes_partner_id_idx" ON "import_changes"("partner_id");

-- CreateIndex
CREATE INDEX "import_errors_partner_id_idx" ON "import_errors"("partner_id");
