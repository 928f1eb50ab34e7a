-- CreateTable
CREATE TABLE "group_holds" (
    "partner_id" INTEGER NOT NULL,
    "assignment_id" UUID NOT NULL,
    "group_id" INTEGER NOT NULL,
    "file_id" INTEGER NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "group_holds_pkey" PRIMARY KEY ("partner_id","assignment_id","group_id")
);

-- CreateIndex
CREATE INDEX "group_holds_partner_id_group_id_idx" ON "group_holds"("partner_id", "group_id");

-- AddForeignKey
ALTER TABLE "group_holds" ADD CONSTRAINT "group_holds_partner_id_group_id_fkey" FOREIGN KEY ("partner_id", "group_id") REFERENCES "groups"("partner_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Row-level security of group_holds
ALTER TABLE "group_holds" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "group_holds" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "group_holds"
  USING ("partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer)
    OR (SELECT current_setting('app.scope', true) = 'system'))
  WITH CHECK ("partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer)
    OR (SELECT current_setting('app.scope', true) = 'system'));
