-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "sso_logout" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "sso_settings" (
    "partner_id" INTEGER NOT NULL,
    "sso_only" BOOLEAN NOT NULL,

    CONSTRAINT "sso_settings_pkey" PRIMARY KEY ("partner_id")
);
