-- Of the mails that are still to be sent alone: the others, of a whole week, would be gone through at every look.
DROP INDEX "mails_bulk_due_at_id_idx";
CREATE INDEX "mails_due_idx" ON "mails" ("bulk", "due_at", "id") WHERE "due_at" IS NOT NULL;
