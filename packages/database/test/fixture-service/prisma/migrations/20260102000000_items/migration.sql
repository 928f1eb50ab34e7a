-- CreateTable
CREATE TABLE "items" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "note" TEXT,
    "size" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "items_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tags" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "item_id" INTEGER NOT NULL,
    "label" TEXT NOT NULL,

    CONSTRAINT "tags_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "settings" (
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "settings_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "items_partner_id_created_at_id_idx" ON "items"("partner_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "items_partner_id_name_key" ON "items"("partner_id", "name");

-- CreateIndex
CREATE INDEX "tags_partner_id_item_id_idx" ON "tags"("partner_id", "item_id");

-- AddForeignKey
ALTER TABLE "tags" ADD CONSTRAINT "tags_item_id_fkey" FOREIGN KEY ("item_id") REFERENCES "items"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Row-level security of items
ALTER TABLE "items" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "items" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "items"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of tags
ALTER TABLE "tags" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "tags" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "tags"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));
