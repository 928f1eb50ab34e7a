import { z } from 'zod';
import {
  bodyId,
  dateTimeText,
  email,
  emptyReply,
  id,
  idReply,
  listQuery,
  newPassword,
  pageReply,
  requiredLine,
  text,
  timeZone,
} from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { adminRoleBits, userRoleBits } from '../core/roles.ts';
import { route } from '../core/route.ts';

// The same calls twice: for the admins of a company among themselves, and for administrators over any company of theirs.

const access = {
  partner: { kind: 'partner', roles: userRoleBits.admin },
  admin: { kind: 'admin', roles: adminRoleBits.partnerAdministration },
} as const;

const companyAdmin = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string().nullable().meta({ description: 'Null where the admin signs in with a login user id' }),
  loginUserId: z.string().nullable(),
  createUserFlag: z.boolean().meta({ description: 'The admin is a user as well, who takes a licence' }),
  lastLoginAt: dateTimeText.nullable(),
  createdAt: dateTimeText,
  updatedAt: dateTimeText,
});

export const companyAdminOrderKeys = ['id', 'name', 'email', 'createdAt', 'lastLoginAt'] as const;

/** Empty is absent, as forms send it. */
const password = z
  .union([z.literal(''), newPassword])
  .nullable()
  .optional();

const companyAdminFields = z.object({
  name: requiredLine(limits.nameMaxLength),
  email,
  password,
  createUserFlag: z.boolean().optional(),
});

const list = {
  service: 'user',
  method: 'GET',
  query: listQuery(companyAdminOrderKeys).extend({
    name: text(255).optional(),
    email: text(254).optional(),
  }),
  response: pageReply.extend({ admins: z.array(companyAdmin) }),
} as const;

const create = {
  service: 'user',
  method: 'POST',
  body: companyAdminFields,
  status: 201,
  response: idReply,
  errors: ['E40008', 'E40029'],
} as const;

const get = { service: 'user', method: 'GET', response: companyAdmin } as const;

const update = {
  service: 'user',
  method: 'PUT',
  body: companyAdminFields.omit({ createUserFlag: true }).partial(),
  response: emptyReply,
  errors: ['E40009', 'E40029'],
} as const;

const remove = {
  service: 'user',
  method: 'DELETE',
  body: z.object({ ids: z.array(bodyId).min(1).max(limits.maxIdsPerDelete) }),
  response: emptyReply,
  errors: ['E40031'],
} as const;

const csv = {
  service: 'user',
  method: 'GET',
  logged: true,
  query: z.object({ tz: timeZone }),
  response: z.string().meta({ contentType: 'text/csv' }),
} as const;

// Under a partner's token

const ownPath = '/v1/partner/partners/:pid/admins';
const ownParams = z.object({ pid: id });
const ownRecord = z.object({ pid: id, adminId: id });

export const listCompanyAdmins = route({
  ...list,
  id: 'listCompanyAdmins',
  path: ownPath,
  summary: 'The company admins of the tenant.',
  access: access.partner,
  params: ownParams,
});

export const createCompanyAdmin = route({
  ...create,
  id: 'createCompanyAdmin',
  path: ownPath,
  summary: 'Creates a company admin. Without a password they are mailed a link to choose one.',
  access: access.partner,
  params: ownParams,
});

export const getCompanyAdmin = route({
  ...get,
  id: 'getCompanyAdmin',
  path: `${ownPath}/:adminId`,
  summary: 'One company admin.',
  access: access.partner,
  params: ownRecord,
});

export const updateCompanyAdmin = route({
  ...update,
  id: 'updateCompanyAdmin',
  path: `${ownPath}/:adminId`,
  summary: 'Changes a company admin; an absent field is unchanged. A new password ends their other sessions.',
  access: access.partner,
  params: ownRecord,
});

export const deleteCompanyAdmins = route({
  ...remove,
  id: 'deleteCompanyAdmins',
  path: ownPath,
  summary: 'Deletes company admins, all or none; not the last one, and nobody themselves.',
  access: access.partner,
  params: ownParams,
});

export const exportCompanyAdmins = route({
  ...csv,
  id: 'exportCompanyAdmins',
  path: `${ownPath}/csv`,
  summary: 'admins.csv, streamed.',
  access: access.partner,
  params: ownParams,
});

// Under an administrator's token

const partnerPath = '/v1/admin/partners/:id/admins';
const partnerParams = z.object({ id });
const partnerRecord = z.object({ id, adminId: id });

export const listPartnerAdmins = route({
  ...list,
  id: 'listPartnerAdmins',
  path: partnerPath,
  summary: 'The company admins of a partner.',
  access: access.admin,
  params: partnerParams,
  errors: ['E40402'],
});

export const createPartnerAdmin = route({
  ...create,
  id: 'createPartnerAdmin',
  path: partnerPath,
  summary: 'Creates a company admin of a partner.',
  access: access.admin,
  params: partnerParams,
  errors: [...create.errors, 'E40402'],
});

export const getPartnerAdmin = route({
  ...get,
  id: 'getPartnerAdmin',
  path: `${partnerPath}/:adminId`,
  summary: 'One company admin of a partner.',
  access: access.admin,
  params: partnerRecord,
  errors: ['E40402'],
});

export const updatePartnerAdmin = route({
  ...update,
  id: 'updatePartnerAdmin',
  path: `${partnerPath}/:adminId`,
  summary: 'Changes a company admin of a partner. A new password ends their sessions.',
  access: access.admin,
  params: partnerRecord,
  errors: [...update.errors, 'E40402'],
});

export const deletePartnerAdmins = route({
  ...remove,
  id: 'deletePartnerAdmins',
  path: partnerPath,
  summary: 'Deletes company admins of a partner, all or none; not the last one.',
  access: access.admin,
  params: partnerParams,
  errors: [...remove.errors, 'E40402'],
});

export const exportPartnerAdmins = route({
  ...csv,
  id: 'exportPartnerAdmins',
  path: `${partnerPath}/csv`,
  summary: 'admins.csv of a partner, streamed.',
  access: access.admin,
  params: partnerParams,
  errors: ['E40402'],
});
