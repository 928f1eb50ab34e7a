import { z } from 'zod';
import { databaseContractStatuses } from '../core/document.ts';
import { dateTime, dateTimeText, emptyReply, id, listQuery, pageReply, text } from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { adminRoleBits, allUserRoleBits, userRoleBits } from '../core/roles.ts';
import { route } from '../core/route.ts';

/** The contracts of document databases, which administrators make, and the keys of the databases. */

const service = 'document';
const administrators = { kind: 'admin', roles: adminRoleBits.partnerAdministration } as const;
/** Whoever reads the documents of tenants finds the database by it. */
const readers = {
  kind: 'admin',
  roles: adminRoleBits.partnerAdministration | adminRoleBits.canReadTenantInformation,
} as const;
const companyAdmins = { kind: 'partner', roles: userRoleBits.admin, api: 'doc-browsing' } as const;
const people = { kind: 'partner', roles: allUserRoleBits, api: 'doc-browsing' } as const;
const holdersOfKey = { kind: 'tenantKey', api: 'doc-browsing' } as const;

const partnerParams = z.object({ pid: id });
export const databaseName = z.string().max(64);
const databaseParams = z.object({ db: databaseName });

const contractStatus = z.literal([...databaseContractStatuses]).describe('0 none, 1 trial, 2 contracted');
const contractFields = z.object({
  contractStatus,
  expireDate: dateTime.describe('Nothing is written one day after it, and nothing read 30 days later'),
});

const database = z.object({
  partnerId: z.number().int(),
  partnerName: z.string(),
  db: z.string().describe('The name of the database in addresses'),
  contractStatus,
  startDate: dateTimeText,
  expireDate: dateTimeText,
  usageBytes: z.number().int().describe('Follows within a minute'),
  documentCount: z.number().int().describe('Follows within a minute'),
  quotaBytes: z.number().int().describe('Over it nothing is written'),
  apiKey: z.string(),
});
const keyReply = z.object({ apiKey: z.string() });

const errors = ['E40305', 'E40401', 'E40402'] as const;
const databases = '/api/v2/admin/databases';

export const databaseOrderKeys = ['partnerId', 'partnerName', 'expireDate', 'usageBytes'] as const;

export const listDatabases = route({
  id: 'listDatabases',
  service,
  method: 'GET',
  path: databases,
  summary: 'The document databases of the partners that the administrator can see.',
  access: administrators,
  query: listQuery(databaseOrderKeys).extend({
    partnerName: text(limits.searchMaxLength).optional(),
    contractStatus: z
      .enum(['0', '1', '2'])
      .transform((value) => databaseContractStatuses[Number(value)])
      .optional(),
  }),
  response: pageReply.extend({ databases: z.array(database) }),
});

export const getDatabase = route({
  id: 'getDatabase',
  service,
  method: 'GET',
  path: `${databases}/:pid`,
  summary: 'The document database of a partner.',
  access: readers,
  params: partnerParams,
  response: database.extend({
    apiKey: database.shape.apiKey.nullable().describe('Null without PartnerAdministration'),
  }),
  errors,
});

export const createDatabase = route({
  id: 'createDatabase',
  service,
  method: 'POST',
  path: `${databases}/:pid`,
  summary: 'Makes the document database of a partner, who has one at most.',
  access: administrators,
  answersSecret: true,
  params: partnerParams,
  body: contractFields.extend({ contractStatus: z.literal([1, 2]).describe('1 trial, 2 contracted') }),
  status: 201,
  response: database,
  errors: ['E40032', 'E40304', 'E40305', 'E40402'],
});

export const updateDatabase = route({
  id: 'updateDatabase',
  service,
  method: 'PUT',
  path: `${databases}/:pid`,
  summary: 'Changes the contract of a document database; an absent field stays unchanged.',
  access: administrators,
  params: partnerParams,
  body: contractFields.partial(),
  response: database,
  errors,
});

export const deleteDatabase = route({
  id: 'deleteDatabase',
  service,
  method: 'DELETE',
  path: `${databases}/:pid`,
  summary: 'Takes the document database of a partner away, with its documents.',
  access: administrators,
  params: partnerParams,
  response: emptyReply,
  errors,
});

export const renewDatabaseKey = route({
  id: 'renewDatabaseKey',
  service,
  method: 'PUT',
  path: `${databases}/:pid/apikey`,
  summary: 'Makes another key of a document database; the old one stops working at once.',
  access: administrators,
  params: partnerParams,
  response: keyReply,
  errors,
});

const own = '/api/v2/:db/apikey';

export const getOwnDatabaseKey = route({
  id: 'getOwnDatabaseKey',
  service,
  method: 'GET',
  path: own,
  summary: 'The key of the document database of the tenant.',
  access: [companyAdmins, holdersOfKey],
  params: databaseParams,
  response: keyReply,
  errors: ['E40401'],
});

export const renewOwnDatabaseKey = route({
  id: 'renewOwnDatabaseKey',
  service,
  method: 'PUT',
  path: own,
  summary: 'Makes another key of the document database of the tenant; the old one stops working at once.',
  access: [companyAdmins, holdersOfKey],
  params: databaseParams,
  response: keyReply,
  errors: ['E40401'],
});

export const getOwnDatabase = route({
  id: 'getOwnDatabase',
  service,
  method: 'GET',
  path: '/api/v2/database',
  summary: 'The document database of the tenant that calls, for its people and for whoever has its key.',
  access: [people, holdersOfKey],
  response: database
    .omit({ partnerName: true, apiKey: true })
    .extend({ readable: z.boolean(), writable: z.boolean() }),
  errors: ['E40401'],
});
