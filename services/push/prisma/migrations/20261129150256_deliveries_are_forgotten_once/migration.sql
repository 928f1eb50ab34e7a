-- Whether who got a notification is forgotten: of each of those before it is looked for once more.
ALTER TABLE "notifications" ADD COLUMN     "deliveries_forgotten" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "notifications_to_forget" ON "notifications" ("finished_at") WHERE NOT "deliveries_forgotten";
