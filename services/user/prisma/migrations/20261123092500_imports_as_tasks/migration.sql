-- Imports wait for their turns in the queue of tasks now. Those that wait already go there, also out of the hands of the
-- version before, which counts the attempts, and so do those that it makes ready while it is replaced: it finds none to take
-- any more. The columns attempt, failures and leased_until, their index and the trigger go with the next release.
CREATE FUNCTION queue_import() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO messaging.task (queue, id, partner_id, payload, added_at, due_at)
    VALUES (CASE WHEN NEW.size <= 1048576 THEN 'import-small-files' ELSE 'import-large-files' END, NEW.id, NEW.partner_id,
        jsonb_build_object('id', NEW.id, 'partnerId', NEW.partner_id), NEW.updated_at, NEW.updated_at)
    ON CONFLICT DO NOTHING;
    NEW.leased_until := NULL;
    NEW.attempt := NEW.attempt + 1;
    RETURN NEW;
END
$$;
CREATE TRIGGER queue_import BEFORE UPDATE OF leased_until ON "user_imports" FOR EACH ROW
    WHEN (NEW.status = 'ready' AND NEW.leased_until IS NOT NULL) EXECUTE FUNCTION queue_import();

UPDATE "user_imports" SET leased_until = leased_until WHERE status = 'ready';
