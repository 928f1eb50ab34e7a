import { z } from 'zod';
import {
  bodyId,
  dateTimeText,
  emptyReply,
  id,
  idReply,
  listQuery,
  pageReply,
  requiredLine,
  searchText,
  text,
} from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { contractRanks, licenseTypes } from '../core/plans.ts';
import { adminRoleBits } from '../core/roles.ts';
import { route } from '../core/route.ts';

/** Outsourcing units. A unit administrator sees only their own, and changes none. */

const readTenants = { kind: 'admin', roles: adminRoleBits.canReadTenantInformation } as const;
const administerUnits = { kind: 'admin', roles: adminRoleBits.unitAdministration, platform: true } as const;

const unitPath = '/v1/admin/outsourcing/units';
const recordParams = z.object({ id });

const unitPartner = z.object({
  id: z.number().int(),
  name: z.string(),
  contractRank: z.enum(contractRanks),
  licenseType: z.enum(licenseTypes),
  licenseCount: z.number().int(),
  licenseExpiredOn: dateTimeText.nullable(),
});

const unit = z.object({
  unitId: z.number().int(),
  unitName: z.string(),
  allocatedLicense: z.number().int(),
  consumedLicense: z.number().int().describe('Licences that the partners of the unit have together'),
  ownerPartnerid: z.number().int(),
  canForceDistributeApp: z.boolean(),
  partners: z.array(unitPartner),
  admins: z.array(
    z.object({
      adminId: z.number().int(),
      adminName: z.string(),
      adminEmail: z.string(),
      role: z.number().int(),
    }),
  ),
});

const unitFields = z.object({
  name: requiredLine(limits.nameMaxLength),
  allocatedLicense: z
    .number()
    .int()
    .min(0)
    .max(limits.maxAllocatedLicense)
    .describe('Licences that the unit can give to its partners'),
  ownerPartnerid: bodyId.describe('The partner that owns the unit; 0: none'),
  canForceDistributeApp: z
    .boolean()
    .describe('Whether administrators of the unit can publish applications that everyone gets'),
});

export const unitOrderKeys = ['name', 'id'] as const;

export const listUnits = route({
  id: 'listUnits',
  service: 'tenant',
  method: 'GET',
  path: unitPath,
  summary: 'The outsourcing units, sorted by name; a unit administrator sees only their own.',
  access: readTenants,
  query: listQuery(unitOrderKeys).extend({
    order: z.enum(['asc', 'desc']).default('asc'),
    q: searchText.optional(),
    name: text(255).optional(),
  }),
  response: pageReply.extend({ units: z.array(unit) }),
});

export const createUnit = route({
  id: 'createUnit',
  service: 'tenant',
  method: 'POST',
  path: unitPath,
  summary: 'Creates an outsourcing unit.',
  access: administerUnits,
  body: unitFields
    .partial()
    .required({ name: true })
    .describe('Absent: no licences, no owner, no applications that everyone gets'),
  status: 201,
  response: idReply,
  errors: ['E40029', 'E40402'],
});

export const getUnit = route({
  id: 'getUnit',
  service: 'tenant',
  method: 'GET',
  path: `${unitPath}/:id`,
  summary: 'One outsourcing unit with all its partners and administrators.',
  access: readTenants,
  params: recordParams,
  response: unit.extend({ createdAt: dateTimeText, updatedAt: dateTimeText }),
});

export const updateUnit = route({
  id: 'updateUnit',
  service: 'tenant',
  method: 'PUT',
  path: `${unitPath}/:id`,
  summary: 'Changes an outsourcing unit; an absent field stays unchanged.',
  access: administerUnits,
  params: recordParams,
  body: unitFields.partial(),
  response: emptyReply,
  errors: ['E40016', 'E40029', 'E40402'],
});

export const deleteUnit = route({
  id: 'deleteUnit',
  service: 'tenant',
  method: 'DELETE',
  path: `${unitPath}/:id`,
  summary: 'Deletes an outsourcing unit that has neither partners nor administrators.',
  access: administerUnits,
  params: recordParams,
  response: emptyReply,
  errors: ['E40031'],
});

export const listUnitPartners = route({
  id: 'listUnitPartners',
  service: 'tenant',
  method: 'GET',
  path: `${unitPath}/:id/partners`,
  summary: 'All partners of an outsourcing unit.',
  access: readTenants,
  params: recordParams,
  response: z.object({ partners: z.array(unitPartner) }),
});
