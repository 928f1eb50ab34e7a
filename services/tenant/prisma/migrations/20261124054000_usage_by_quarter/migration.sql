-- CreateTable
CREATE TABLE "quarter_usage" (
    "partner_id" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "api_calls" BIGINT NOT NULL,
    "uploaded_bytes" BIGINT,
    "downloaded_bytes" BIGINT,

    CONSTRAINT "quarter_usage_pkey" PRIMARY KEY ("partner_id","started_at")
);

-- CreateIndex
CREATE INDEX "quarter_usage_started_at_idx" ON "quarter_usage"("started_at");

-- Of the days until now only their sums are known. Noon in UTC is on the same day nearly everywhere.
INSERT INTO "quarter_usage" ("partner_id", "started_at", "api_calls", "uploaded_bytes", "downloaded_bytes")
SELECT "partner_id", ("day" + time '12:00') AT TIME ZONE 'UTC', "api_calls", "uploaded_bytes", "downloaded_bytes"
FROM "daily_usage" WHERE "day" > current_date - 33;
