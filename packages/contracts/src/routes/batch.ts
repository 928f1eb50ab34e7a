import { z } from 'zod';
import type { ErrorCode } from '../core/errors.ts';
import { dateTime, emptyReply, id, timeZone } from '../core/fields.ts';
import { adminRoleBits, userRoleBits } from '../core/roles.ts';
import { type Access, route } from '../core/route.ts';

/**
 * Exports that are written in the background: create one, poll its status, fetch its address. Only who created an export
 * sees it, and one of a kind runs at a time. Its file goes away after a day.
 */

const { admin, developer, pushApi } = userRoleBits;

export const csvStatuses = ['waiting', 'processing', 'preparing', 'complete', 'failed'] as const;

const partnerParams = z.object({ pid: id });
const ofPartner = partnerParams.extend({ batchId: id });
const ofAdmin = z.object({ batchId: id });

const statusReply = z.object({
  id: z.number().int(),
  status: z.enum(csvStatuses),
  progress: z.number().min(0).max(1),
  rowCount: z.number().int(),
});
const urlReply = z.object({ signedUrl: z.string() });

const zone = z.object({ tz: timeZone });
const logQuery = zone.extend({
  operationDateStart: dateTime.optional().describe('Operations of this time and later'),
  operationDateEnd: dateTime.optional().describe('Operations before this time'),
});

const created = z.number().int();

const creating = {
  service: 'batch',
  logged: true,
  errors: ['E40010'],
} as const;

/** The routes on an export that exists. */
function existing<P extends z.ZodObject, const A extends Access>(of: {
  readonly id: string;
  readonly path: string;
  readonly file: string;
  readonly access: A;
  readonly params: P;
  /** What its address answers where the export has failed; E40034 unless told. */
  readonly failed?: ErrorCode;
}) {
  const { access, failed, file, params, path } = of;
  const shared = { service: 'batch', access, params } as const;
  return {
    status: route({
      ...shared,
      id: `get${of.id}Csv`,
      method: 'GET',
      path: `${path}/:batchId`,
      summary: `How far an export of ${file} is.`,
      response: statusReply,
      errors: ['E40401'],
    }),
    url: route({
      ...shared,
      id: `get${of.id}CsvUrl`,
      method: 'GET',
      path: `${path}/:batchId/url`,
      summary:
        `The address of ${file}, good for an hour; E40034 while there is none` +
        (failed === undefined ? '.' : `, ${failed} where the export failed.`),
      response: urlReply,
      errors: [...(failed === undefined ? [] : [failed]), 'E40034', 'E40401'],
    }),
    cancel: route({
      ...shared,
      id: `cancel${of.id}Csv`,
      method: 'DELETE',
      path: `${path}/:batchId`,
      summary: `Ends an export of ${file} that is not wanted any more.`,
      response: emptyReply,
      errors: ['E40401'],
    }),
  };
}

const filesAccess = { kind: 'partner', roles: admin | developer } as const;
const filesPath = '/v1/partner/partners/:pid/files/csv/batches';
const files = {
  ...creating,
  path: filesPath,
  summary: 'Begins an export of files.csv, in Shift-JIS.',
  access: filesAccess,
  params: partnerParams,
  query: zone,
  response: z.object({ id: created, filesCsvBatchId: created }),
};
export const createFilesCsv = route({ ...files, id: 'createFilesCsv', method: 'POST', status: 201 });
export const createFilesCsvByGet = route({ ...files, id: 'createFilesCsvByGet', method: 'GET' });
export const {
  status: getFilesCsv,
  url: getFilesCsvUrl,
  cancel: cancelFilesCsv,
} = existing({ id: 'Files', path: filesPath, file: 'files.csv', access: filesAccess, params: ofPartner });

const usersAccess = { kind: 'partner', roles: admin | developer | pushApi, api: 'group' } as const;
const usersPath = '/v1/partner/partners/:pid/users/csv/batches';
const users = {
  ...creating,
  path: usersPath,
  summary: 'Begins an export of users.csv; with `format=import` of the columns alone that an import takes.',
  access: usersAccess,
  params: partnerParams,
  query: zone.extend({ format: z.enum(['import']).optional() }),
  response: z.object({ id: created, usersCsvBatchId: created }),
};
export const createUsersCsv = route({ ...users, id: 'createUsersCsv', method: 'POST', status: 201 });
export const createUsersCsvByGet = route({ ...users, id: 'createUsersCsvByGet', method: 'GET' });
export const {
  status: getUsersCsv,
  url: getUsersCsvUrl,
  cancel: cancelUsersCsv,
} = existing({ id: 'Users', path: usersPath, file: 'users.csv', access: usersAccess, params: ofPartner });

const logsAccess = { kind: 'partner', roles: admin } as const;
const logsPath = '/v1/partner/partners/:pid/operation_logs/csv/batches';
const logs = {
  ...creating,
  path: logsPath,
  summary: 'Begins an export of operation_logs.csv, where the contract allows it.',
  access: logsAccess,
  params: partnerParams,
  query: logQuery,
  response: z.object({ id: created, operationLogCreateBatchId: created }),
};
export const createOperationLogsCsv = route({
  ...logs,
  id: 'createOperationLogsCsv',
  method: 'POST',
  status: 201,
});
export const createOperationLogsCsvByGet = route({
  ...logs,
  id: 'createOperationLogsCsvByGet',
  method: 'GET',
});
export const {
  status: getOperationLogsCsv,
  url: getOperationLogsCsvUrl,
  cancel: cancelOperationLogsCsv,
} = existing({
  id: 'OperationLogs',
  path: logsPath,
  file: 'operation_logs.csv',
  access: logsAccess,
  params: ofPartner,
  failed: 'E40024',
});

const adminAccess = { kind: 'admin', roles: adminRoleBits.partnerAdministration } as const;

const partnersPath = '/v1/admin/partners/csv/batches';
const partners = {
  ...creating,
  path: partnersPath,
  summary: 'Begins an export of partners.csv; of a unit administrator that of their unit.',
  access: adminAccess,
  query: zone,
  response: z.object({ id: created, partnersCsvBatchId: created }),
};
export const createPartnersCsv = route({ ...partners, id: 'createPartnersCsv', method: 'POST', status: 201 });
export const createPartnersCsvByGet = route({ ...partners, id: 'createPartnersCsvByGet', method: 'GET' });
export const {
  status: getPartnersCsv,
  url: getPartnersCsvUrl,
  cancel: cancelPartnersCsv,
} = existing({
  id: 'Partners',
  path: partnersPath,
  file: 'partners.csv',
  access: adminAccess,
  params: ofAdmin,
});

const allLogsPath = '/v1/admin/operation_logs/csv/batches';
const allLogs = {
  ...creating,
  path: allLogsPath,
  summary:
    "Begins an export of everyone's operation_logs.csv; for a unit administrator of the unit's partners and administrators.",
  access: adminAccess,
  query: logQuery,
  response: z.object({ id: created, operationLogCreateBatchId: created }),
};
export const createAllOperationLogsCsv = route({
  ...allLogs,
  id: 'createAllOperationLogsCsv',
  method: 'POST',
  status: 201,
});
export const createAllOperationLogsCsvByGet = route({
  ...allLogs,
  id: 'createAllOperationLogsCsvByGet',
  method: 'GET',
});
export const {
  status: getAllOperationLogsCsv,
  url: getAllOperationLogsCsvUrl,
  cancel: cancelAllOperationLogsCsv,
} = existing({
  id: 'AllOperationLogs',
  path: allLogsPath,
  file: 'operation_logs.csv',
  access: adminAccess,
  params: ofAdmin,
  failed: 'E40024',
});
