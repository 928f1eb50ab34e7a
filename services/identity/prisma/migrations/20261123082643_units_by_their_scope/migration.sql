-- The administrators of a unit see it.
CREATE POLICY "unit" ON units
  USING (id = (SELECT scope.genuine('unit')))
  WITH CHECK (id = (SELECT scope.genuine('unit')));

-- The link of an administrator is of their unit.
CREATE POLICY "unit" ON password_links
  USING (account_kind = 'admin'
    AND account_id IN (SELECT id FROM admins WHERE unit_id = (SELECT scope.genuine('unit'))))
  WITH CHECK (account_kind = 'admin'
    AND account_id IN (SELECT id FROM admins WHERE unit_id = (SELECT scope.genuine('unit'))));
