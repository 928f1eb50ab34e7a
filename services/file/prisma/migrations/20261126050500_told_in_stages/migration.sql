-- CreateTable
CREATE TABLE "tellings" (
    "partner_id" INTEGER NOT NULL,
    "file_id" INTEGER NOT NULL,
    "seen" TEXT,
    "passed" INTEGER DEFAULT 0,

    CONSTRAINT "tellings_pkey" PRIMARY KEY ("partner_id","file_id")
);

-- CreateTable
CREATE TABLE "told_people" (
    "partner_id" INTEGER NOT NULL,
    "file_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,

    CONSTRAINT "told_people_pkey" PRIMARY KEY ("partner_id","file_id","user_id")
);

-- CreateTable
CREATE TABLE "newcomers" (
    "partner_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "newcomers_pkey" PRIMARY KEY ("partner_id","user_id")
);

-- CreateIndex
CREATE INDEX "newcomers_at_idx" ON "newcomers"("at");

-- Row-level security of tellings
ALTER TABLE "tellings" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "tellings" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "tellings"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of told_people
ALTER TABLE "told_people" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "told_people" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "told_people"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of newcomers
ALTER TABLE "newcomers" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "newcomers" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "newcomers"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Files that are held back now, of which people are to be told: until now that was so only at the end.
INSERT INTO "tellings" (file_id, partner_id)
SELECT id, partner_id FROM "files" file
WHERE NOT deleted AND (notify_email OR notify_push) AND partner_id <> 0
  AND EXISTS (SELECT FROM "rollouts" rollout WHERE rollout.file_id = file.id AND rollout.active AND rollout.state <> 'ended');
