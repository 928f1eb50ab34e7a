import { z } from 'zod';
import {
  dateTimeText,
  email,
  emptyReply,
  id,
  idReply,
  listQuery,
  newPassword,
  pageReply,
  requiredLine,
  searchText,
} from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { adminRoleBits, adminRoles, unitAdminRole } from '../core/roles.ts';
import { route } from '../core/route.ts';

// Administrators: of the platform, and of units. The people of a company are in `company-admins.ts`.

/** A unit's administrator cannot have all of them; that is a matter of rights, not of form. */
const role = z.literal([...adminRoles]);

const name = requiredLine(limits.nameMaxLength);

const newAdmin = z.object({ name, email, password: newPassword });

/** What may change; the address stays. An empty password is an absent one, as forms send it. */
const changes = z
  .object({ name, role, password: z.union([z.literal(''), newPassword]).nullable() })
  .partial();

const known = {
  twoFactor: z.boolean().meta({ description: 'The administrator signs in with two factors' }),
  lastLoginAt: dateTimeText.nullable(),
  createdAt: dateTimeText,
};

// Of the platform.

const superAdministrators = { kind: 'admin', roles: adminRoleBits.superAdministration } as const;
const adminParams = z.object({ adminId: id });

const adminRow = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string(),
  role: z.number().int(),
  ...known,
});

export const adminOrderKeys = ['id', 'name', 'email', 'role', 'createdAt', 'lastLoginAt'] as const;

export const listAdmins = route({
  id: 'listAdmins',
  service: 'identity',
  method: 'GET',
  path: '/v1/admin/admins',
  summary: 'The platform administrators.',
  access: superAdministrators,
  query: listQuery(adminOrderKeys).extend({ q: searchText.optional() }),
  response: pageReply.extend({ admins: z.array(adminRow) }),
});

export const createAdmin = route({
  id: 'createAdmin',
  service: 'identity',
  method: 'POST',
  path: '/v1/admin/admins',
  summary: 'Creates a platform administrator, who signs in with the password that is given.',
  access: superAdministrators,
  body: newAdmin.extend({ role }),
  status: 201,
  response: idReply,
  errors: ['E40029'],
});

export const getAdmin = route({
  id: 'getAdmin',
  service: 'identity',
  method: 'GET',
  path: '/v1/admin/admins/:adminId',
  summary: 'One platform administrator.',
  access: superAdministrators,
  params: adminParams,
  response: adminRow.extend({ updatedAt: dateTimeText }),
});

export const updateAdmin = route({
  id: 'updateAdmin',
  service: 'identity',
  method: 'PUT',
  path: '/v1/admin/admins/:adminId',
  summary:
    'Changes a platform administrator; an absent field stays unchanged. A role is in force at once, a password ends their other sessions.',
  access: superAdministrators,
  params: adminParams,
  body: changes,
  response: emptyReply,
  errors: ['E40031'],
});

export const deleteAdmin = route({
  id: 'deleteAdmin',
  service: 'identity',
  method: 'DELETE',
  path: '/v1/admin/admins/:adminId',
  summary: 'Deletes a platform administrator and ends their sessions; not the last one with all rights.',
  access: superAdministrators,
  params: adminParams,
  response: emptyReply,
  errors: ['E40031'],
});

// Of a unit.

const unitAdministrators = { kind: 'admin', roles: adminRoleBits.unitAdministration } as const;
const unitParams = z.object({ unitId: id });
const unitAdminParams = z.object({ unitId: id, adminId: id });

const unitAdminRow = z.object({
  adminId: z.number().int(),
  adminName: z.string(),
  adminEmail: z.string(),
  role: z.number().int(),
  ...known,
});

export const listUnitAdmins = route({
  id: 'listUnitAdmins',
  service: 'identity',
  method: 'GET',
  path: '/v1/admin/outsourcing/units/:unitId/admins',
  summary: 'All administrators of a unit, sorted by name.',
  access: unitAdministrators,
  params: unitParams,
  response: z.object({ admins: z.array(unitAdminRow) }),
});

export const createUnitAdmin = route({
  id: 'createUnitAdmin',
  service: 'identity',
  method: 'POST',
  path: '/v1/admin/outsourcing/units/:unitId/admins',
  summary: 'Creates an administrator of a unit, who signs in with the password that is given.',
  access: unitAdministrators,
  params: unitParams,
  body: newAdmin.extend({ role: role.default(unitAdminRole) }),
  status: 201,
  response: idReply,
  errors: ['E40029'],
});

export const getUnitAdmin = route({
  id: 'getUnitAdmin',
  service: 'identity',
  method: 'GET',
  path: '/v1/admin/outsourcing/units/:unitId/admins/:adminId',
  summary: 'One administrator of a unit.',
  access: unitAdministrators,
  params: unitAdminParams,
  response: unitAdminRow.extend({ updatedAt: dateTimeText }),
});

export const updateUnitAdmin = route({
  id: 'updateUnitAdmin',
  service: 'identity',
  method: 'PUT',
  path: '/v1/admin/outsourcing/units/:unitId/admins/:adminId',
  summary:
    'Changes an administrator of a unit; an absent field stays unchanged. A role is in force at once, a password ends their other sessions.',
  access: unitAdministrators,
  params: unitAdminParams,
  body: changes,
  response: emptyReply,
});

export const deleteUnitAdmin = route({
  id: 'deleteUnitAdmin',
  service: 'identity',
  method: 'DELETE',
  path: '/v1/admin/outsourcing/units/:unitId/admins/:adminId',
  summary: 'Deletes an administrator of a unit and ends their sessions.',
  access: unitAdministrators,
  params: unitAdminParams,
  response: emptyReply,
});
