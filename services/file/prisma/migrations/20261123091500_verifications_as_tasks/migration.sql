-- Uploads wait for their verification in the queue of tasks now. Those that wait already go there, and those of the version
-- before while it is replaced, which alone says when it began. The column verifying_at and the trigger go with the next
-- release.
CREATE FUNCTION queue_verification() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO messaging.task (queue, id, partner_id, payload, added_at, due_at)
    VALUES ('verify-uploads', NEW.id, NEW.partner_id, jsonb_build_object('id', NEW.id, 'partnerId', NEW.partner_id),
        NEW.verifying_at, NEW.verifying_at)
    ON CONFLICT DO NOTHING;
    RETURN NEW;
END
$$;
CREATE TRIGGER queue_verification AFTER UPDATE OF verifying_at ON "versions" FOR EACH ROW
    WHEN (NEW.status = 'verifying' AND NEW.verifying_at IS NOT NULL) EXECUTE FUNCTION queue_verification();

UPDATE "versions" SET verifying_at = verifying_at WHERE status = 'verifying';
