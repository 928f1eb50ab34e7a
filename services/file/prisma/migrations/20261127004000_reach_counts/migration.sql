-- CreateTable
CREATE TABLE "reach_counts" (
    "partner_id" INTEGER NOT NULL,
    "file_id" INTEGER NOT NULL,
    "devices" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reach_counts_pkey" PRIMARY KEY ("partner_id","file_id")
);

-- Row-level security of reach_counts
ALTER TABLE "reach_counts" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "reach_counts" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "reach_counts"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));
