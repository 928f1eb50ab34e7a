-- CreateTable
CREATE TABLE "partners" (
    "partner_id" INTEGER NOT NULL,
    "uap_file_limit" INTEGER,
    "change_counter" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "partners_pkey" PRIMARY KEY ("partner_id")
);

-- CreateTable
CREATE TABLE "groups" (
    "group_id" INTEGER NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "groups_pkey" PRIMARY KEY ("group_id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    "added_in" BIGINT NOT NULL,
    "removed_in" BIGINT,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "files" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "note" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "name_folded" TEXT NOT NULL,
    "note_folded" TEXT NOT NULL,
    "live_file_name" TEXT,
    "is_uap" BOOLEAN NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    "current_version_id" INTEGER,
    "reserved_version_id" INTEGER,
    "deliver_reservation_at" TIMESTAMPTZ(3),
    "update_reservation_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "notify_email" BOOLEAN NOT NULL DEFAULT false,
    "notify_push" BOOLEAN NOT NULL DEFAULT false,
    "changed_in" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "files_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "versions" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "file_id" INTEGER NOT NULL,
    "upload_id" TEXT NOT NULL,
    "slot" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "unattended" BOOLEAN NOT NULL,
    "size" BIGINT,
    "object_key" TEXT NOT NULL,
    "incoming_key" TEXT NOT NULL,
    "storage_upload_id" TEXT,
    "from_parts" BOOLEAN NOT NULL DEFAULT false,
    "sha256" TEXT,
    "icon_key" TEXT,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "urls_expire_at" TIMESTAMPTZ(3) NOT NULL,
    "verifying_at" TIMESTAMPTZ(3),

    CONSTRAINT "versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "assignments" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "file_id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    "added_in" BIGINT NOT NULL,
    "removed_in" BIGINT,
    "announced" BOOLEAN DEFAULT false,

    CONSTRAINT "assignments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "removals" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "storage_upload_id" TEXT,
    "size" BIGINT,
    "part_size" INTEGER,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "removals_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "groups_partner_id_name_idx" ON "groups"("partner_id", "name");

-- CreateIndex
CREATE INDEX "memberships_partner_id_user_id_idx" ON "memberships"("partner_id", "user_id");

-- CreateIndex
CREATE INDEX "memberships_partner_id_group_id_idx" ON "memberships"("partner_id", "group_id");

-- CreateIndex
CREATE INDEX "files_partner_id_deleted_id_idx" ON "files"("partner_id", "deleted", "id");

-- CreateIndex
CREATE INDEX "files_partner_id_deleted_name_id_idx" ON "files"("partner_id", "deleted", "name", "id");

-- CreateIndex
CREATE INDEX "files_partner_id_deleted_file_name_id_idx" ON "files"("partner_id", "deleted", "file_name", "id");

-- CreateIndex
CREATE INDEX "files_partner_id_deleted_created_at_id_idx" ON "files"("partner_id", "deleted", "created_at", "id");

-- CreateIndex
CREATE INDEX "files_partner_id_deleted_updated_at_id_idx" ON "files"("partner_id", "deleted", "updated_at", "id");

-- CreateIndex
CREATE INDEX "files_partner_id_deleted_deliver_reservation_at_id_idx" ON "files"("partner_id", "deleted", "deliver_reservation_at", "id");

-- CreateIndex
CREATE INDEX "files_partner_id_deleted_update_reservation_at_id_idx" ON "files"("partner_id", "deleted", "update_reservation_at", "id");

-- CreateIndex
CREATE INDEX "files_partner_id_changed_in_idx" ON "files"("partner_id", "changed_in");

-- CreateIndex
CREATE INDEX "files_reserved_version_id_idx" ON "files"("reserved_version_id");

-- CreateIndex
CREATE UNIQUE INDEX "files_live_file_name_key" ON "files"("partner_id", "live_file_name");

-- CreateIndex
CREATE UNIQUE INDEX "versions_upload_id_key" ON "versions"("upload_id");

-- CreateIndex
CREATE INDEX "versions_partner_id_file_id_idx" ON "versions"("partner_id", "file_id");

-- CreateIndex
CREATE INDEX "versions_status_opened_at_idx" ON "versions"("status", "opened_at");

-- CreateIndex
CREATE INDEX "assignments_partner_id_file_id_idx" ON "assignments"("partner_id", "file_id");

-- CreateIndex
CREATE INDEX "assignments_partner_id_group_id_idx" ON "assignments"("partner_id", "group_id");

-- CreateIndex
CREATE INDEX "assignments_partner_id_added_in_idx" ON "assignments"("partner_id", "added_in");

-- CreateIndex
CREATE INDEX "assignments_partner_id_removed_in_idx" ON "assignments"("partner_id", "removed_in");

-- CreateIndex
CREATE INDEX "assignments_announced_idx" ON "assignments"("announced");

-- CreateIndex
CREATE INDEX "removals_due_at_idx" ON "removals"("due_at");

-- CreateIndex
CREATE INDEX "removals_partner_id_key_idx" ON "removals"("partner_id", "key");

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

-- Row-level security of memberships
ALTER TABLE "memberships" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "memberships" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "memberships"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of files
ALTER TABLE "files" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "files" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "files"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of versions
ALTER TABLE "versions" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "versions" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "versions"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of assignments
ALTER TABLE "assignments" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "assignments" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "assignments"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of removals
ALTER TABLE "removals" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "removals" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "removals"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));
