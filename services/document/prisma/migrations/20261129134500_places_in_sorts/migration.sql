-- What MongoDB sorts by: every value at the path and every element of an array there, null where there is none. An array that stands
-- at a place in an array is one value.
CREATE OR REPLACE FUNCTION documents.sort_keys(value json, path text[], is_element boolean) RETURNS SETOF bytea
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    inner_value json;
BEGIN
    IF json_typeof(value) = 'array' AND NOT is_element THEN
        IF json_array_length(value) = 0 THEN
            -- An empty array stands before all; nothing in it, as what is not there.
            RETURN NEXT CASE cardinality(path) WHEN 0 THEN '\x06'::bytea ELSE '\x0a'::bytea END;
        ELSIF path[1] ~ '^(0|[1-9][0-9]{0,6})$' AND value -> path[1]::integer IS NOT NULL THEN
            RETURN QUERY SELECT * FROM documents.sort_keys(value -> path[1]::integer, path[2:], cardinality(path) = 1);
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
