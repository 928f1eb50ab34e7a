-- Uploads of which a job has to look whether their bytes have come: few of all versions, and gone through page by page.
CREATE INDEX "versions_unattended_idx" ON "versions"("id") WHERE "status" = 'uploading' AND "unattended";

-- It gave the same job the oldest of all tenants.
DROP INDEX "versions_status_opened_at_idx";
