-- Exports of a unit's administrators, and their names, are the unit's.
ALTER TABLE exports ADD COLUMN unit_id integer;
ALTER TABLE people ADD COLUMN unit_id integer;

-- Names that are known already: an administrator of a unit who never acted has none in the log.
UPDATE people SET unit_id = acted.unit_id
FROM (SELECT DISTINCT account_id, unit_id FROM logs.operation_logs
  WHERE account_kind = 'admin' AND unit_id IS NOT NULL) acted
WHERE people.kind = 'admin' AND people.account_id = acted.account_id;

-- A unit sees what its partners and their people did as well.
DROP POLICY IF EXISTS "unit" ON logs.operation_logs;
CREATE POLICY "unit" ON logs.operation_logs
  USING (unit_id = (SELECT scope.genuine('unit'))
    OR partner_id IN (SELECT partner_id FROM partners WHERE unit_id = (SELECT scope.genuine('unit'))))
  WITH CHECK (unit_id = (SELECT scope.genuine('unit')));
CREATE POLICY "unit" ON people
  USING (unit_id = (SELECT scope.genuine('unit'))
    OR partner_id IN (SELECT partner_id FROM partners WHERE unit_id = (SELECT scope.genuine('unit'))))
  WITH CHECK (unit_id = (SELECT scope.genuine('unit')));
