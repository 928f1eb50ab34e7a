-- CreateTable
CREATE TABLE "ended_tokens" (
    "token_hash" BYTEA NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "number" BIGINT NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ended_tokens_pkey" PRIMARY KEY ("token_hash","partner_id")
);

-- CreateIndex
CREATE INDEX "ended_tokens_ended_at_idx" ON "ended_tokens"("ended_at");

-- Whatever ends a push token of a device leaves its number: what another device told before, and is heard of late, does not bring
-- it back.
CREATE FUNCTION remember_ended_tokens() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO ended_tokens (token_hash, partner_id, number)
    SELECT b.token_hash, b.partner_id, b.number FROM before b
    WHERE TG_OP = 'DELETE' OR NOT EXISTS (SELECT FROM devices d WHERE d.token_hash = b.token_hash)
    ORDER BY 1, 2
    ON CONFLICT (token_hash, partner_id) DO UPDATE
      SET number = greatest(ended_tokens.number, excluded.number), ended_at = excluded.ended_at;
    RETURN NULL;
END
$$;
CREATE TRIGGER "remembered_deleted" AFTER DELETE ON "devices"
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION remember_ended_tokens();
CREATE TRIGGER "remembered_replaced" AFTER UPDATE ON "devices"
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION remember_ended_tokens();
