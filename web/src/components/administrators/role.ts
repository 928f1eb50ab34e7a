import { adminRoleBits, adminRoles, hasAnyRole, unitAdminRole } from '@portal/contracts';
import type { administrators } from '../../i18n/ja/administrators.ts';

type RoleName = keyof typeof administrators.roles;

/** Roles are cumulative: the highest bit names them. */
const names: readonly (readonly [bit: number, name: RoleName])[] = [
  [adminRoleBits.superAdministration, 'superadmin'],
  [adminRoleBits.unitAdministration, 'unitadmin'],
  [adminRoleBits.partnerAdministration, 'tenantadmin'],
  [adminRoleBits.groupAdministration, 'groupadmin'],
  [adminRoleBits.userAdministration, 'useradmin'],
  [adminRoleBits.fileAdministration, 'fileadmin'],
];

export function roleNameOf(role: number): RoleName {
  return names.find(([bit]) => hasAnyRole(role, bit))?.[1] ?? 'noadmin';
}

/** The roles that somebody may give, highest first: none with a bit that they lack, and of a unit none beyond its own. */
export function rolesToGive(giver: number, of: 'platform' | 'unit'): readonly (typeof adminRoles)[number][] {
  const most = of === 'unit' ? giver & unitAdminRole : giver;
  return adminRoles.filter((role) => (role & ~most) === 0).toReversed();
}
