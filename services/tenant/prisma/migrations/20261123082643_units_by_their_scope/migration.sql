-- The administrators of a unit see it.
CREATE POLICY "unit" ON units
  USING (id = (SELECT scope.genuine('unit')))
  WITH CHECK (id = (SELECT scope.genuine('unit')));
