-- Which devices get which version in stages is told by the same index as all else that is looked for in all devices.
DROP INDEX "devices_by_id_idx";
CREATE INDEX "devices_by_id_idx" ON "devices"("partner_id", "id")
  INCLUDE ("audience_id", "place", "user_folded", "login_folded", "name_folded") WHERE "audience_id" IS NOT NULL;
