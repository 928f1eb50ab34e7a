-- AlterTable
ALTER TABLE "tellings" ADD COLUMN     "notify_email" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "notify_push" BOOLEAN NOT NULL DEFAULT false;
