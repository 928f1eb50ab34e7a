-- What is due of each tenant: the job takes some of each in turn.
CREATE INDEX "removals_partner_id_due_at_idx" ON "removals"("partner_id", "due_at");

-- It gave the same job the oldest of all tenants.
DROP INDEX "removals_due_at_idx";
