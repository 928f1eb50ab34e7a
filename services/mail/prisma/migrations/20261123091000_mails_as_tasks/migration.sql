-- Mails wait in the queue of tasks now. Those that wait already go there, and those that the version before keeps while it
-- is replaced: it finds none to send any more. The columns sealed, bulk, attempts and due_at, their index and the trigger go
-- with the next release.
CREATE FUNCTION queue_mail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO messaging.task (queue, id, partner_id, priority, payload, attempts, added_at, due_at)
    VALUES ('send-mails', NEW.id, NEW.partner_id, NEW.bulk::integer, jsonb_build_object('sealed', NEW.sealed),
        NEW.attempts, NEW.requested_at, NEW.due_at);
    NEW.sealed := NULL;
    NEW.due_at := NULL;
    RETURN NEW;
END
$$;
CREATE TRIGGER queue_mail BEFORE INSERT OR UPDATE OF sealed ON "mails" FOR EACH ROW
    WHEN (NEW.sealed IS NOT NULL AND NEW.due_at IS NOT NULL) EXECUTE FUNCTION queue_mail();

UPDATE "mails" SET sealed = sealed WHERE sealed IS NOT NULL AND due_at IS NOT NULL;
