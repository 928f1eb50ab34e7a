-- CreateTable
CREATE TABLE "delivery_runs" (
    "notification_id" INTEGER NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "after_user_id" INTEGER NOT NULL DEFAULT 0,
    "after_uuid" TEXT NOT NULL DEFAULT '',
    "pages" INTEGER NOT NULL DEFAULT 0,
    "is_written" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "delivery_runs_pkey" PRIMARY KEY ("notification_id")
);

-- CreateTable
CREATE TABLE "delivery_pages" (
    "partner_id" INTEGER NOT NULL,
    "notification_id" INTEGER NOT NULL,
    "page" INTEGER NOT NULL,
    "lane" INTEGER,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "delivery_pages_pkey" PRIMARY KEY ("partner_id","notification_id","page")
);

-- CreateTable
CREATE TABLE "deliveries" (
    "partner_id" INTEGER NOT NULL,
    "notification_id" INTEGER NOT NULL,
    "page" INTEGER NOT NULL,
    "uuid" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "outcome" TEXT,
    "reason" TEXT,
    "tries" SMALLINT NOT NULL DEFAULT 0,
    "first_tried_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3),

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("partner_id","notification_id","page","uuid")
);

-- CreateIndex
CREATE INDEX "delivery_runs_partner_id_idx" ON "delivery_runs"("partner_id");

-- CreateIndex
CREATE INDEX "delivery_pages_partner_id_page_due_at_idx" ON "delivery_pages"("partner_id", "page", "due_at");

-- Each row is written once and changed once, in its place.
ALTER TABLE "deliveries" SET (fillfactor = 50);
