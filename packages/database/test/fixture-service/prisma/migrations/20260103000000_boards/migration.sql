-- CreateTable
CREATE TABLE "boards" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "unit_id" INTEGER NOT NULL,
    "title" TEXT NOT NULL,

    CONSTRAINT "boards_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "boards_partner_id_id_idx" ON "boards"("partner_id", "id");

-- CreateIndex
CREATE INDEX "boards_unit_id_id_idx" ON "boards"("unit_id", "id");
