-- What is due of all tenants is looked for each second: by indexes that tell when it is, so that what waits for its time is not read.

-- AlterTable
ALTER TABLE "assignments" ADD COLUMN     "waits_until" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "rollouts" ADD COLUMN     "next_at" TIMESTAMPTZ(3);

-- DropIndex
DROP INDEX "assignments_announced_idx";

-- An assignment repeats the time of delivery of its file.
CREATE FUNCTION follow_delivery_times() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "assignments" SET waits_until = NEW.deliver_reservation_at WHERE file_id = NEW.id AND removed_in IS NULL;
    RETURN NULL;
END
$$;
CREATE TRIGGER follow_delivery_times AFTER UPDATE OF "deliver_reservation_at" ON "files" FOR EACH ROW
    WHEN (OLD.deliver_reservation_at IS DISTINCT FROM NEW.deliver_reservation_at) EXECUTE FUNCTION follow_delivery_times();
CREATE FUNCTION note_delivery_times() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "assignments" assignment SET waits_until = file.deliver_reservation_at
    FROM changed JOIN "files" file ON file.id = changed.file_id AND file.deliver_reservation_at IS NOT NULL
    WHERE assignment.id = changed.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER note_delivery_times AFTER INSERT ON "assignments" REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION note_delivery_times();
UPDATE "assignments" assignment SET waits_until = file.deliver_reservation_at
FROM "files" file WHERE file.id = assignment.file_id AND file.deliver_reservation_at IS NOT NULL AND assignment.removed_in IS NULL;
CREATE INDEX "assignments_unannounced_idx" ON "assignments"("waits_until") WHERE NOT "announced";

CREATE INDEX "files_coming_versions_idx" ON "files"("update_reservation_at")
  WHERE "reserved_version_id" IS NOT NULL AND NOT "deleted";

-- When the next stage of a version that is live begins by itself; of the first stage, which waits for what its file waits for, a time
-- that is long over.
CREATE FUNCTION set_next_stage() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    coming CONSTANT jsonb := jsonb_path_query_first(NEW.stages, '$[*] ? (@.startedAt == null)');
BEGIN
    NEW.next_at := CASE WHEN coming IS NULL OR NEW.number IS NULL OR NEW.state <> 'open' OR NOT NEW.active THEN NULL
        WHEN NEW.stages #>> '{0,startedAt}' IS NULL THEN 'epoch'
        ELSE NEW.waits_from + make_interval(secs => extract(epoch FROM (coming ->> 'after')::interval)) END;
    RETURN NEW;
END
$$;
CREATE TRIGGER set_next_stage BEFORE INSERT OR UPDATE OF "number", "stages", "state", "active", "waits_from" ON "rollouts"
    FOR EACH ROW EXECUTE FUNCTION set_next_stage();
-- A file that is deleted has no stages any more.
UPDATE "rollouts" rollout SET active = NOT file.deleted FROM "files" file WHERE file.id = rollout.file_id AND rollout.active;
CREATE INDEX "rollouts_next_idx" ON "rollouts"("next_at") WHERE "next_at" IS NOT NULL;
