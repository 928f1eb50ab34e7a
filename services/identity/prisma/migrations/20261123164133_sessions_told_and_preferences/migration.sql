-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "address" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "agent" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "last_used_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "preferences" (
    "account_kind" "account_kind" NOT NULL,
    "account_id" INTEGER NOT NULL,
    "partner_id" INTEGER,
    "unit_id" INTEGER,
    "json" TEXT NOT NULL,

    CONSTRAINT "preferences_pkey" PRIMARY KEY ("account_kind","account_id")
);
