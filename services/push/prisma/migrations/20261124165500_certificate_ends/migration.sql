-- AlterTable
ALTER TABLE "certifications" ADD COLUMN     "end_told_days" INTEGER;

-- CreateIndex
CREATE INDEX "certifications_certificate_expires_at_idx" ON "certifications"("certificate_expires_at");
