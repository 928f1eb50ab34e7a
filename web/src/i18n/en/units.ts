import type { units as ja } from '../ja/units.ts';
import type { Translation } from '../translation.ts';

export const units: Translation<typeof ja> = {
  title: 'Units',
  name: 'Unit name',
  licenses: 'Licenses (consumed / allocated)',
  licensesOf: 'Licenses of “{{name}}”',
  usage: '{{consumed}} / {{allocated}}',
  partners: 'Companies',
  admins: 'Administrators',
  canForceDistributeApp: 'Forced app distribution',
  allowed: 'Allowed',
  refused: 'Not allowed',
  partnersOf: 'Companies of “{{name}}”',
  adminsOf: 'Administrators of “{{name}}”',
  noPartners: 'This unit has no companies yet.',
  noAdmins: 'This unit has no administrators yet.',
  adminName: 'Name',
  adminEmail: 'Email address',
  adminRole: 'Role',
  roles: {
    superadmin: 'Platform administrator',
    unitadmin: 'Unit administrator',
    tenantadmin: 'Company administrator',
    groupadmin: 'Group administrator',
    useradmin: 'User administrator',
    fileadmin: 'File administrator',
    noadmin: 'View companies only',
  },
  emptyTitle: 'There are no units yet',
  emptyText: 'Once a unit is registered, its allocated licenses and its companies are shown here.',
};
