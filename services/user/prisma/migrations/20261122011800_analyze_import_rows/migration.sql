-- The rows of an import come at once and go at once: what is known of the rows of before says nothing of them, and a plan for
-- few rows takes hours for many. Only its owner may look through a table anew.
CREATE FUNCTION analyze_import_rows() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  ANALYZE import_rows;
END
$$;
