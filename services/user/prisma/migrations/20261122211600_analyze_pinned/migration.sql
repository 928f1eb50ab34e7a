-- It runs as the owner: nothing that others could make comes first.
ALTER FUNCTION analyze_import_rows() SET search_path = pg_catalog, public, pg_temp;
