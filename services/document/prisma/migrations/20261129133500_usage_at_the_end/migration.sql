-- As before, but where `documents.counted_with` names a collection, its rows are counted in. A long transaction counts in rows that
-- nobody else has, and adds them up at its end (see docs/decisions/0074-documents-behind-one-port.md).
CREATE OR REPLACE FUNCTION documents.count_usage() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    counted_with bigint := nullif(current_setting('documents.counted_with', true), '')::bigint;
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO documents.usage AS known (collection_id, part, partner_id, documents, bytes)
        SELECT coalesce(counted_with, collection_id), pg_backend_pid() % 16, partner_id, count(*), sum(octet_length(source))
        FROM added GROUP BY collection_id, partner_id
        ON CONFLICT (collection_id, part) DO UPDATE
            SET documents = known.documents + excluded.documents, bytes = known.bytes + excluded.bytes;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO documents.usage AS known (collection_id, part, partner_id, documents, bytes)
        SELECT coalesce(counted_with, collection_id), pg_backend_pid() % 16, partner_id, -count(*), -sum(octet_length(source))
        FROM removed GROUP BY collection_id, partner_id
        ON CONFLICT (collection_id, part) DO UPDATE
            SET documents = known.documents + excluded.documents, bytes = known.bytes + excluded.bytes;
    ELSE
        INSERT INTO documents.usage AS known (collection_id, part, partner_id, documents, bytes)
        SELECT coalesce(counted_with, collection_id), pg_backend_pid() % 16, partner_id, 0, sum(size)
        FROM (
            SELECT collection_id, partner_id, octet_length(source) AS size FROM added
            UNION ALL SELECT collection_id, partner_id, -octet_length(source) FROM removed
        ) AS change GROUP BY collection_id, partner_id
        ON CONFLICT (collection_id, part) DO UPDATE SET bytes = known.bytes + excluded.bytes;
    END IF;
    RETURN NULL;
END $$;
