-- CreateEnum
CREATE TYPE "licence_holder_kind" AS ENUM ('user', 'device');

-- CreateTable
CREATE TABLE "stored_files" (
    "partner_id" INTEGER NOT NULL,
    "file_id" INTEGER NOT NULL,
    "is_uap" BOOLEAN NOT NULL,
    "version" INTEGER NOT NULL,
    "size" BIGINT NOT NULL,
    "reserved_size" BIGINT,

    CONSTRAINT "stored_files_pkey" PRIMARY KEY ("partner_id","file_id")
);

-- CreateTable
CREATE TABLE "licence_holders" (
    "partner_id" INTEGER NOT NULL,
    "kind" "licence_holder_kind" NOT NULL,
    "holder" TEXT NOT NULL,

    CONSTRAINT "licence_holders_pkey" PRIMARY KEY ("partner_id","kind","holder")
);

-- CreateTable
CREATE TABLE "licence_use" (
    "partner_id" INTEGER NOT NULL,
    "kind" "licence_holder_kind" NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "licence_use_pkey" PRIMARY KEY ("partner_id","kind")
);

-- CreateTable
CREATE TABLE "daily_usage" (
    "partner_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "api_calls" BIGINT NOT NULL,
    "uploaded_bytes" BIGINT,
    "downloaded_bytes" BIGINT,

    CONSTRAINT "daily_usage_pkey" PRIMARY KEY ("partner_id","day")
);

-- CreateTable
CREATE TABLE "usage_batches" (
    "id" UUID NOT NULL,
    "added_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "usage_batches_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "daily_usage_day_idx" ON "daily_usage"("day");

-- CreateIndex
CREATE INDEX "usage_batches_added_at_idx" ON "usage_batches"("added_at");

-- Row-level security of stored_files
ALTER TABLE "stored_files" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "stored_files" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "stored_files"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of licence_holders
ALTER TABLE "licence_holders" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "licence_holders" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "licence_holders"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of licence_use
ALTER TABLE "licence_use" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "licence_use" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "licence_use"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of daily_usage
ALTER TABLE "daily_usage" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "daily_usage" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "daily_usage"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));
