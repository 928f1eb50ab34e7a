-- The documents of the PostgreSQL adapter (see docs/decisions/0074-documents-behind-one-port.md). They are in a schema of their
-- own, which the adapter alone reads and writes.
CREATE SCHEMA documents;

CREATE TABLE documents.collections (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    partner_id integer NOT NULL,
    db text NOT NULL,
    -- An import that waits until it is whole has a collection whose name begins with `~`, which no caller can name.
    name text NOT NULL,
    -- Counts the changes of its indexes: writers that know others begin again.
    generation integer NOT NULL DEFAULT 1,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT collections_name_key UNIQUE (partner_id, db, name)
);

CREATE TABLE documents.documents (
    collection_id bigint NOT NULL,
    id text NOT NULL,
    partner_id integer NOT NULL,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    -- As it is answered: the order of keys, which jsonb does not keep, is the tenant's.
    source text NOT NULL,
    -- What filters and sorts look at.
    body jsonb NOT NULL GENERATED ALWAYS AS (source::jsonb) STORED,
    CONSTRAINT documents_pkey PRIMARY KEY (collection_id, id)
);
-- Many rows of a collection are looked through one after the other, and few are ever changed in place.
ALTER TABLE documents.documents SET (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);

-- Bytes and documents of a collection, in a few rows each, so that writers seldom wait for each other.
CREATE TABLE documents.usage (
    collection_id bigint NOT NULL,
    part smallint NOT NULL,
    partner_id integer NOT NULL,
    documents bigint NOT NULL,
    bytes bigint NOT NULL,
    CONSTRAINT usage_pkey PRIMARY KEY (collection_id, part)
) WITH (fillfactor = 50);

CREATE FUNCTION documents.count_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO documents.usage AS known (collection_id, part, partner_id, documents, bytes)
        SELECT collection_id, pg_backend_pid() % 16, partner_id, count(*), sum(octet_length(source))
        FROM added GROUP BY collection_id, partner_id
        ON CONFLICT (collection_id, part) DO UPDATE
            SET documents = known.documents + excluded.documents, bytes = known.bytes + excluded.bytes;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO documents.usage AS known (collection_id, part, partner_id, documents, bytes)
        SELECT collection_id, pg_backend_pid() % 16, partner_id, -count(*), -sum(octet_length(source))
        FROM removed GROUP BY collection_id, partner_id
        ON CONFLICT (collection_id, part) DO UPDATE
            SET documents = known.documents + excluded.documents, bytes = known.bytes + excluded.bytes;
    ELSE
        INSERT INTO documents.usage AS known (collection_id, part, partner_id, documents, bytes)
        SELECT collection_id, pg_backend_pid() % 16, partner_id, 0, sum(size)
        FROM (
            SELECT collection_id, partner_id, octet_length(source) AS size FROM added
            UNION ALL SELECT collection_id, partner_id, -octet_length(source) FROM removed
        ) AS change GROUP BY collection_id, partner_id
        ON CONFLICT (collection_id, part) DO UPDATE SET bytes = known.bytes + excluded.bytes;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER usage_of_added AFTER INSERT ON documents.documents
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION documents.count_usage();
CREATE TRIGGER usage_of_removed AFTER DELETE ON documents.documents
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION documents.count_usage();
CREATE TRIGGER usage_of_changed AFTER UPDATE ON documents.documents
    REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION documents.count_usage();

CREATE TABLE documents.indexes (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    partner_id integer NOT NULL,
    collection_id bigint NOT NULL,
    field text NOT NULL,
    -- Writers keep it from the beginning; filters use it once all documents are in it.
    is_ready boolean NOT NULL DEFAULT false,
    CONSTRAINT indexes_field_key UNIQUE (collection_id, field)
);

-- One row for each value that a field has in a document, in MongoDB's order of types.
CREATE TABLE documents.index_entries (
    index_id integer NOT NULL,
    key bytea NOT NULL,
    document_id text NOT NULL,
    partner_id integer NOT NULL,
    CONSTRAINT index_entries_pkey PRIMARY KEY (index_id, key, document_id)
);

-- All values at a path, as MongoDB goes there: through the objects of an array, and by a number to a place in it.
CREATE FUNCTION documents.values_at(value json, path text[]) RETURNS SETOF json
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    inner_value json;
BEGIN
    IF cardinality(path) = 0 THEN
        RETURN NEXT value;
    ELSIF json_typeof(value) = 'object' THEN
        inner_value := value -> path[1];
        IF inner_value IS NOT NULL THEN
            RETURN QUERY SELECT * FROM documents.values_at(inner_value, path[2:]);
        END IF;
    ELSIF json_typeof(value) = 'array' THEN
        FOR inner_value IN SELECT * FROM json_array_elements(value) LOOP
            IF json_typeof(inner_value) = 'object' THEN
                RETURN QUERY SELECT * FROM documents.values_at(inner_value, path);
            END IF;
        END LOOP;
        IF path[1] ~ '^(0|[1-9][0-9]{0,6})$' THEN
            inner_value := value -> path[1]::integer;
            IF inner_value IS NOT NULL THEN
                RETURN QUERY SELECT * FROM documents.values_at(inner_value, path[2:]);
            END IF;
        END IF;
    END IF;
END $$;

-- Whether a value at the path, or an element of an array there, is that JSON text: with the keys of its objects in that order.
CREATE FUNCTION documents.has_text_at(value json, path text[], wanted text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT EXISTS (
        SELECT FROM documents.values_at(value, path) AS found
        WHERE found::text = wanted OR EXISTS (
            SELECT FROM json_array_elements(CASE json_typeof(found) WHEN 'array' THEN found ELSE '[]' END) AS element
            WHERE element::text = wanted
        )
    )
$$;

-- The bytes of a number, ordered as numbers are: those of a double from 0 on are, and those of a negative one the other way round.
CREATE FUNCTION documents.number_key(value float8) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN value >= 0 THEN '\x15'::bytea || float8send(value)
        ELSE '\x14'::bytea || int8send(~('x' || encode(float8send(value), 'hex'))::bit(64)::bigint) END
$$;

-- The bytes of a value, ordered as MongoDB orders values.
CREATE FUNCTION documents.key_of(value json) RETURNS bytea LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    result bytea;
    name text;
    inner_value json;
BEGIN
    CASE json_typeof(value)
        WHEN 'null' THEN RETURN '\x0a';
        WHEN 'number' THEN RETURN documents.number_key(value::text::float8);
        WHEN 'string' THEN RETURN '\x1e'::bytea || convert_to(value #>> '{}', 'UTF8') || '\x00'::bytea;
        WHEN 'object' THEN
            result := '\x28';
            FOR name, inner_value IN SELECT * FROM json_each(value) LOOP
                result := result || substr(documents.key_of(inner_value), 1, 1) || convert_to(name, 'UTF8') || '\x00'::bytea
                    || substr(documents.key_of(inner_value), 2);
            END LOOP;
            RETURN result || '\x00'::bytea;
        WHEN 'array' THEN
            result := '\x32';
            FOR inner_value IN SELECT * FROM json_array_elements(value) LOOP
                result := result || documents.key_of(inner_value);
            END LOOP;
            RETURN result || '\x00'::bytea;
        WHEN 'boolean' THEN RETURN CASE value::text WHEN 'true' THEN '\x3c01'::bytea ELSE '\x3c00'::bytea END;
    END CASE;
END $$;

-- What MongoDB sorts by: every value at the path and every element of an array there, null where there is none.
CREATE FUNCTION documents.sort_keys(value json, path text[], is_element boolean) RETURNS SETOF bytea
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    inner_value json;
BEGIN
    IF json_typeof(value) = 'array' AND NOT is_element THEN
        IF json_array_length(value) = 0 THEN
            -- An empty array stands before all; nothing in it, as what is not there.
            RETURN NEXT CASE cardinality(path) WHEN 0 THEN '\x06'::bytea ELSE '\x0a'::bytea END;
        ELSIF path[1] ~ '^(0|[1-9][0-9]{0,6})$' AND value -> path[1]::integer IS NOT NULL THEN
            RETURN QUERY SELECT * FROM documents.sort_keys(value -> path[1]::integer, path[2:], false);
        ELSE
            FOR inner_value IN SELECT * FROM json_array_elements(value) LOOP
                RETURN QUERY SELECT * FROM documents.sort_keys(inner_value, path, true);
            END LOOP;
        END IF;
    ELSIF cardinality(path) = 0 THEN
        RETURN NEXT documents.key_of(value);
    ELSIF json_typeof(value) = 'object' AND value -> path[1] IS NOT NULL THEN
        RETURN QUERY SELECT * FROM documents.sort_keys(value -> path[1], path[2:], false);
    ELSE
        RETURN NEXT '\x0a'::bytea;
    END IF;
END $$;

-- The least of them, or the greatest.
CREATE FUNCTION documents.sort_key(value json, path text[], is_descending boolean) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT key FROM documents.sort_keys(value, path, false) AS key
    ORDER BY CASE WHEN NOT is_descending THEN key END, CASE WHEN is_descending THEN key END DESC
    LIMIT 1
$$;
