-- AlterTable
ALTER TABLE "admins" ADD COLUMN     "last_login_at" TIMESTAMPTZ(3),
ADD COLUMN     "role_changed_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "admins_unit_id_idx" ON "admins"("unit_id");

-- As far as it is known.
UPDATE admins SET last_login_at = (
  SELECT max(started_at) FROM sessions WHERE account_kind = 'admin' AND account_id = admins.id);

-- Sessions name the revision of the administrator whose role they have.
UPDATE sessions SET generation = admins.revision
FROM admins WHERE account_kind = 'admin' AND account_id = admins.id;

-- What belongs to an administrator of a unit is of that unit.
CREATE POLICY "unit" ON reset_mails
  USING (account_kind = 'admin'
    AND account_id IN (SELECT id FROM admins WHERE unit_id = (SELECT scope.genuine('unit'))))
  WITH CHECK (account_kind = 'admin'
    AND account_id IN (SELECT id FROM admins WHERE unit_id = (SELECT scope.genuine('unit'))));
CREATE POLICY "unit" ON known_devices
  USING (account_kind = 'admin'
    AND account_id IN (SELECT id FROM admins WHERE unit_id = (SELECT scope.genuine('unit'))))
  WITH CHECK (account_kind = 'admin'
    AND account_id IN (SELECT id FROM admins WHERE unit_id = (SELECT scope.genuine('unit'))));
