import { adminRoles } from '@portal/contracts';
import { expect, it } from 'vitest';
import { administrators as en } from '../../i18n/en/administrators.ts';
import { administrators as ja } from '../../i18n/ja/administrators.ts';
import { roleNameOf } from './role.ts';

it('names each role by its highest right, and who has every right besides', () => {
  expect(adminRoles.map((role) => [role, roleNameOf(role)])).toEqual([
    [1, 'noadmin'],
    [3, 'fileadmin'],
    [7, 'useradmin'],
    [15, 'groupadmin'],
    [31, 'tenantadmin'],
    [63, 'unitadmin'],
    [127, 'superadmin'],
  ]);
  expect([ja.roles.superadmin, en.roles.superadmin]).toEqual(['すべての管理', 'Everything']);
});
