-- Since when: rows from before do not know it.
ALTER TABLE "memberships" ADD COLUMN "added_at" TIMESTAMPTZ(3);
ALTER TABLE "assignments" ADD COLUMN "added_at" TIMESTAMPTZ(3);
