-- CreateTable
CREATE TABLE "partners" (
    "partner_id" INTEGER NOT NULL,
    "contract_rank" TEXT NOT NULL,
    "license_type" TEXT NOT NULL,
    "license_count" INTEGER NOT NULL,
    "user_device_limit" INTEGER NOT NULL,

    CONSTRAINT "partners_pkey" PRIMARY KEY ("partner_id")
);

-- CreateTable
CREATE TABLE "groups" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "note" TEXT NOT NULL,
    "role" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "groups_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "accounts" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "email" TEXT,
    "email_key" TEXT,
    "login_user_id" TEXT,
    "login_user_id_key" TEXT,
    "password_hash" TEXT,
    "role" INTEGER NOT NULL,
    "is_user" BOOLEAN NOT NULL,
    "json" TEXT,
    "max_device_count_limited_flag" BOOLEAN NOT NULL,
    "max_device_count" INTEGER NOT NULL,
    "wrong_passwords" INTEGER NOT NULL DEFAULT 0,
    "locked_until" TIMESTAMPTZ(3),
    "last_login_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "partner_id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("partner_id","group_id","account_id")
);

-- CreateTable
CREATE TABLE "devices" (
    "partner_id" INTEGER NOT NULL,
    "uuid" TEXT NOT NULL,
    "account_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "os_type" TEXT NOT NULL,
    "os_version" TEXT NOT NULL,
    "player_version" TEXT NOT NULL,
    "push_token" TEXT,
    "push_service" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_login_at" TIMESTAMPTZ(3),

    CONSTRAINT "devices_pkey" PRIMARY KEY ("partner_id","uuid")
);

-- CreateTable
CREATE TABLE "group_files" (
    "partner_id" INTEGER NOT NULL,
    "file_id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,

    CONSTRAINT "group_files_pkey" PRIMARY KEY ("partner_id","file_id","group_id")
);

-- CreateTable
CREATE TABLE "milestones" (
    "name" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "milestones_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "groups_partner_id_role_id_idx" ON "groups"("partner_id", "role", "id");

-- CreateIndex
CREATE INDEX "groups_partner_id_created_at_id_idx" ON "groups"("partner_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "groups_partner_id_updated_at_id_idx" ON "groups"("partner_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "groups_partner_id_id_key" ON "groups"("partner_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "groups_partner_id_name_key_key" ON "groups"("partner_id", "name_key");

-- CreateIndex
CREATE INDEX "accounts_partner_id_is_user_id_idx" ON "accounts"("partner_id", "is_user", "id");

-- CreateIndex
CREATE INDEX "accounts_partner_id_is_user_name_key_id_idx" ON "accounts"("partner_id", "is_user", "name_key", "id");

-- CreateIndex
CREATE INDEX "accounts_partner_id_is_user_email_key_id_idx" ON "accounts"("partner_id", "is_user", "email_key", "id");

-- CreateIndex
CREATE INDEX "accounts_partner_id_is_user_login_user_id_key_id_idx" ON "accounts"("partner_id", "is_user", "login_user_id_key", "id");

-- CreateIndex
CREATE INDEX "accounts_partner_id_is_user_created_at_id_idx" ON "accounts"("partner_id", "is_user", "created_at", "id");

-- CreateIndex
CREATE INDEX "accounts_partner_id_is_user_last_login_at_id_idx" ON "accounts"("partner_id", "is_user", "last_login_at", "id");

-- CreateIndex
CREATE INDEX "accounts_by_email_desc_idx" ON "accounts"("partner_id", "is_user", "email_key" DESC NULLS LAST, "id" DESC);

-- CreateIndex
CREATE INDEX "accounts_by_login_user_id_desc_idx" ON "accounts"("partner_id", "is_user", "login_user_id_key" DESC NULLS LAST, "id" DESC);

-- CreateIndex
CREATE INDEX "accounts_by_last_login_desc_idx" ON "accounts"("partner_id", "is_user", "last_login_at" DESC NULLS LAST, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "accounts_partner_id_id_key" ON "accounts"("partner_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_partner_id_email_key_key" ON "accounts"("partner_id", "email_key");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_partner_id_login_user_id_key_key" ON "accounts"("partner_id", "login_user_id_key");

-- CreateIndex
CREATE INDEX "memberships_partner_id_account_id_idx" ON "memberships"("partner_id", "account_id");

-- CreateIndex
CREATE INDEX "devices_partner_id_account_id_idx" ON "devices"("partner_id", "account_id");

-- CreateIndex
CREATE INDEX "devices_partner_id_os_type_os_version_idx" ON "devices"("partner_id", "os_type", "os_version");

-- CreateIndex
CREATE INDEX "devices_partner_id_player_version_idx" ON "devices"("partner_id", "player_version");

-- CreateIndex
CREATE INDEX "group_files_partner_id_group_id_idx" ON "group_files"("partner_id", "group_id");

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_partner_id_group_id_fkey" FOREIGN KEY ("partner_id", "group_id") REFERENCES "groups"("partner_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_partner_id_account_id_fkey" FOREIGN KEY ("partner_id", "account_id") REFERENCES "accounts"("partner_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "devices" ADD CONSTRAINT "devices_partner_id_account_id_fkey" FOREIGN KEY ("partner_id", "account_id") REFERENCES "accounts"("partner_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Row-level security of partners
ALTER TABLE "partners" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "partners" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "partners"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of groups
ALTER TABLE "groups" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "groups" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "groups"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of accounts
ALTER TABLE "accounts" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "accounts" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "accounts"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of memberships
ALTER TABLE "memberships" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "memberships" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "memberships"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of devices
ALTER TABLE "devices" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "devices" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "devices"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of group_files
ALTER TABLE "group_files" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "group_files" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "group_files"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));
