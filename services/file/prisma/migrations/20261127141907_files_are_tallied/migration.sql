-- CreateTable
CREATE TABLE "file_tallies" (
    "partner_id" INTEGER NOT NULL,
    "slot" INTEGER NOT NULL,
    "files" INTEGER NOT NULL,

    CONSTRAINT "file_tallies_pkey" PRIMARY KEY ("partner_id","slot")
);

-- A connection has one transaction at a time: with a slot of its own it waits for no other.
CREATE FUNCTION tally_files(of_partner integer, more bigint) RETURNS void LANGUAGE sql AS $$
    INSERT INTO file_tallies AS tally (partner_id, slot, files) VALUES (of_partner, pg_backend_pid() % 256, more)
    ON CONFLICT (partner_id, slot) DO UPDATE SET files = tally.files + EXCLUDED.files
$$;

-- What there is already.
SELECT tally_files(partner_id, count(*)) FROM files WHERE NOT deleted GROUP BY partner_id;

CREATE FUNCTION tally_changed_files() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tally_files(partner_id, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END)
    FROM changed WHERE NOT deleted GROUP BY partner_id;
    RETURN NULL;
END;
$$;
CREATE TRIGGER tally_inserted AFTER INSERT ON files REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_files();
CREATE TRIGGER tally_deleted AFTER DELETE ON files REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_files();

-- Most deletions leave the row: players are still told of them.
CREATE FUNCTION tally_marked_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tally_files(NEW.partner_id, CASE WHEN NEW.deleted THEN -1 ELSE 1 END);
    RETURN NULL;
END;
$$;
CREATE TRIGGER tally_marked AFTER UPDATE OF deleted ON files
  FOR EACH ROW WHEN (OLD.deleted <> NEW.deleted) EXECUTE FUNCTION tally_marked_file();
