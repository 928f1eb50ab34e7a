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
  searchText,
  text,
  timeZone,
} from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { bytesOut } from '../core/media.ts';
import { adminRoleBits, userRoleBits } from '../core/roles.ts';
import { type RouteContract, route, routeAt } from '../core/route.ts';

const companyAdmin = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string().nullable().meta({ description: 'Null if the admin signs in with a login user id' }),
  loginUserId: z.string().nullable(),
  createUserFlag: z.boolean().meta({ description: 'The admin is also a user, who needs a licence' }),
  twoFactor: z.boolean().meta({ description: 'The admin signs in with two factors' }),
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

// The admins of a company among themselves, and beside each call the same for administrators, over any company of theirs.

const path = '/v1/partner/partners/:pid/admins';
const access = { kind: 'partner', roles: userRoleBits.admin } as const;
const params = z.object({ pid: id });
const recordParams = z.object({ pid: id, adminId: id });

const administrators = { kind: 'admin', roles: adminRoleBits.partnerAdministration } as const;

/** Where administrators make a call. */
const underAdmin = <C extends RouteContract>(contract: C, name: string, summary: string) =>
  routeAt(contract, {
    id: name,
    path: contract.path.replace('/partner/partners/', '/admin/partners/'),
    summary,
    access: administrators,
    errors: ['E40305', 'E40402'],
  });

export const companyAdminFilters = z.object({
  q: searchText.optional(),
  name: text(255).optional(),
  email: text(254).optional(),
});

export const listCompanyAdmins = route({
  id: 'listCompanyAdmins',
  service: 'user',
  method: 'GET',
  path,
  summary: 'The company admins of the tenant.',
  access,
  params,
  query: listQuery(companyAdminOrderKeys).extend(companyAdminFilters.shape),
  response: pageReply.extend({ admins: z.array(companyAdmin) }),
});

export const listPartnerAdmins = underAdmin(
  listCompanyAdmins,
  'listPartnerAdmins',
  'The company admins of a partner.',
);

export const createCompanyAdmin = route({
  id: 'createCompanyAdmin',
  service: 'user',
  method: 'POST',
  path,
  summary: 'Creates a company admin. Without a password, the admin gets a mail with a link to choose one.',
  access,
  params,
  body: companyAdminFields,
  status: 201,
  response: idReply,
  errors: ['E40008', 'E40029'],
});

export const createPartnerAdmin = underAdmin(
  createCompanyAdmin,
  'createPartnerAdmin',
  'Creates a company admin of a partner.',
);

export const getCompanyAdmin = route({
  id: 'getCompanyAdmin',
  service: 'user',
  method: 'GET',
  path: `${path}/:adminId`,
  summary: 'One company admin.',
  access,
  params: recordParams,
  response: companyAdmin,
});

export const getPartnerAdmin = underAdmin(
  getCompanyAdmin,
  'getPartnerAdmin',
  'One company admin of a partner.',
);

export const updateCompanyAdmin = route({
  id: 'updateCompanyAdmin',
  service: 'user',
  method: 'PUT',
  path: `${path}/:adminId`,
  summary:
    'Changes a company admin; an absent field stays unchanged. A new password ends their other sessions.',
  access,
  params: recordParams,
  body: companyAdminFields.omit({ createUserFlag: true }).partial(),
  response: emptyReply,
  errors: ['E40009', 'E40029'],
});

export const updatePartnerAdmin = underAdmin(
  updateCompanyAdmin,
  'updatePartnerAdmin',
  'Changes a company admin of a partner. A new password ends their sessions.',
);

export const deleteCompanyAdmins = route({
  id: 'deleteCompanyAdmins',
  service: 'user',
  method: 'DELETE',
  path,
  summary: 'Deletes company admins, all or none. The last one and the caller cannot be deleted.',
  access,
  params,
  body: z.object({ ids: z.array(bodyId).min(1).max(limits.maxIdsPerDelete) }),
  response: emptyReply,
  errors: ['E40031'],
});

export const deletePartnerAdmins = underAdmin(
  deleteCompanyAdmins,
  'deletePartnerAdmins',
  'Deletes company admins of a partner, all or none; not the last one.',
);

export const exportCompanyAdmins = route({
  id: 'exportCompanyAdmins',
  service: 'user',
  method: 'GET',
  path: `${path}/csv`,
  summary: 'admins.csv with the filters of the list, streamed.',
  access,
  logged: true,
  params,
  query: z.object({ tz: timeZone, ...companyAdminFilters.shape }),
  response: bytesOut('text/csv'),
});

export const exportPartnerAdmins = underAdmin(
  exportCompanyAdmins,
  'exportPartnerAdmins',
  'admins.csv of a partner with the filters of the list, streamed.',
);
