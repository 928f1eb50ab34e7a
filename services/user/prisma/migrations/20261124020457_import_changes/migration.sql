-- What an import does to each person, to be looked at before it is applied and as long as it is known.
-- AlterTable
ALTER TABLE "accounts" ADD COLUMN "setup_mail_withheld" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "user_imports" ADD COLUMN     "change_count" INTEGER,
ADD COLUMN     "licences_needed" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "mail_count" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "send_mails" BOOLEAN NOT NULL DEFAULT true;

-- CreateTable
CREATE TABLE "import_changes" (
    "import_id" INTEGER NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "line" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "account_id" INTEGER,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "new_name_key" TEXT,
    "login_id" TEXT NOT NULL,
    "login_id_key" TEXT NOT NULL,
    "fields" JSONB NOT NULL,

    CONSTRAINT "import_changes_pkey" PRIMARY KEY ("import_id","line")
);

-- CreateIndex
CREATE INDEX "import_changes_import_id_kind_line_idx" ON "import_changes"("import_id", "kind", "line");
