-- CreateTable
CREATE TABLE "licence_holds" (
    "partner_id" INTEGER NOT NULL,
    "hold_id" UUID NOT NULL,
    "license_type" TEXT NOT NULL,
    "license_count" INTEGER NOT NULL,
    "held_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "licence_holds_pkey" PRIMARY KEY ("partner_id","hold_id")
);

-- CreateIndex
CREATE INDEX "licence_holds_held_at_idx" ON "licence_holds"("held_at");
