-- CreateEnum
CREATE TYPE "licence_hold_status" AS ENUM ('asked', 'held', 'refused');

-- CreateTable
CREATE TABLE "licence_holds" (
    "partner_id" INTEGER NOT NULL,
    "hold_id" UUID NOT NULL,
    "status" "licence_hold_status" NOT NULL,
    "in_use" INTEGER,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "licence_holds_pkey" PRIMARY KEY ("partner_id")
);

-- CreateIndex
CREATE INDEX "licence_holds_until_idx" ON "licence_holds"("until");

-- A change by an administrator of a unit ends the hold that was made for it.
CREATE POLICY "unit" ON "licence_holds"
  USING (partner_id IN (SELECT partner_id FROM partners WHERE unit_id = (SELECT scope.genuine('unit'))))
  WITH CHECK (partner_id IN (SELECT partner_id FROM partners WHERE unit_id = (SELECT scope.genuine('unit'))));
