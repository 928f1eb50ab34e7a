-- The bytes of a value, ordered as MongoDB orders values: fields of objects by their type, by their name, and then by their value. The sign
-- of a number is part of its value. No key is stored: sorts compute them.
CREATE OR REPLACE FUNCTION documents.key_of(value json) RETURNS bytea LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    result bytea;
    key bytea;
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
                key := documents.key_of(inner_value);
                result := result
                    || CASE json_typeof(inner_value) WHEN 'number' THEN '\x14'::bytea ELSE substr(key, 1, 1) END
                    || convert_to(name, 'UTF8') || '\x00'::bytea
                    || CASE json_typeof(inner_value) WHEN 'number' THEN key ELSE substr(key, 2) END;
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
