import { z } from 'zod';
import type { ErrorCode } from '../core/errors.ts';
import { dateTime, emptyReply, formatDateTime, id, timeZone } from '../core/fields.ts';
import { adminRoleBits, userRoleBits } from '../core/roles.ts';
import { type Access, route } from '../core/route.ts';
import { deliveryFilters } from './delivery.ts';
import { fileExportFilters } from './file.ts';
import { notificationExportFilters } from './notification-filters.ts';
import { partnerFilters } from './partner-filters.ts';
import { userExportFilters } from './user.ts';

/**
 * Exports that are written in the background: create one, poll its status, fetch its address. Only who created an export
 * sees it, and one of a kind runs at a time. Its file is deleted after a day.
 */

const { admin, developer, pushApi } = userRoleBits;

export const csvStatuses = ['waiting', 'processing', 'preparing', 'complete', 'failed'] as const;

const partnerParams = z.object({ pid: id });

const statusReply = z.object({
  id: z.number().int(),
  status: z.enum(csvStatuses),
  progress: z.number().min(0).max(1),
  rowCount: z.number().int(),
});
const urlReply = z.object({ signedUrl: z.string() });

const zone = z.object({ tz: timeZone });
const logQuery = zone.extend({
  operationDateStart: dateTime.optional().describe('Only operations from this time on'),
  operationDateEnd: dateTime.optional().describe('Only operations before this time'),
});

/** What an export is: from it come its routes, its file, and what the batch service does with them. */
interface ExportDefinition<
  P extends z.ZodObject,
  E extends z.ZodObject,
  Q extends z.ZodObject,
  A extends Access,
  F extends string,
> {
  /** In the names of its routes: `Files` gives `createFilesCsv`. */
  readonly name: string;
  /** Who owns the rows knows the file by it, and one of a kind runs at a time. */
  readonly kind: string;
  readonly fileName: string;
  readonly encoding: 'Shift_JIS' | 'utf-8';
  readonly summary: string;
  readonly path: string;
  readonly access: A;
  readonly params: P;
  /** Of an export that exists. */
  readonly existing: E;
  readonly query: Q;
  /** The filters of the list that it is of; they stand in the query beside the others. */
  readonly filters?: z.ZodObject;
  /** The name that the id has besides `id`. */
  readonly idField: F;
  /** The code that the address answers if the export has failed; E40034 by default. */
  readonly failed?: ErrorCode;
  /** What the contract of the tenant must allow. */
  readonly needs?: 'operationLogDownloadFlag';
  /** Its rows are of one file: the `id` of its path, which the filters carry as `file_id`. */
  readonly ofFile?: boolean;
}

export function csvExport<
  P extends z.ZodObject,
  E extends z.ZodObject,
  Q extends z.ZodObject,
  const A extends Access,
  F extends string,
>(definition: ExportDefinition<P, E, Q, A, F>) {
  const {
    access,
    encoding,
    failed,
    fileName,
    filters,
    idField,
    kind,
    name,
    needs,
    ofFile,
    params,
    path,
    query,
  } = definition;
  // A computed name alone is any name to TypeScript.
  const ids = { id: z.number().int(), [idField]: z.number().int() } as { id: z.ZodNumber } & Record<
    F,
    z.ZodNumber
  >;
  const create = {
    service: 'batch',
    path,
    summary: definition.summary,
    access,
    params,
    query,
    response: z.object(ids),
    logged: true,
    errors: ['E40010', ...(ofFile ? (['E40405'] as const) : [])],
  } as const;
  const known = { service: 'batch', access, params: definition.existing } as const;
  return {
    kind,
    fileName,
    contentType: `text/csv; charset=${encoding}`,
    /** The answer to a request for an export. */
    created: (batchId: number) => ({ id: batchId, [idField]: batchId }) as { id: number } & Record<F, number>,
    failed,
    filters,
    needs,
    ofFile,
    create: route({ ...create, id: `create${name}Csv`, method: 'POST', status: 201 }),
    createByGet: route({ ...create, id: `create${name}CsvByGet`, method: 'GET' }),
    status: route({
      ...known,
      id: `get${name}Csv`,
      method: 'GET',
      path: `${path}/:batchId`,
      summary: `The status of an export of ${fileName}.`,
      response: statusReply,
      errors: ['E40401'],
    }),
    url: route({
      ...known,
      id: `get${name}CsvUrl`,
      method: 'GET',
      path: `${path}/:batchId/url`,
      summary:
        `The address of ${fileName}, valid for an hour; E40034 while the export is not complete` +
        (failed === undefined ? '.' : `, ${failed} if it has failed.`),
      response: urlReply,
      errors: [...(failed === undefined ? [] : [failed]), 'E40034', 'E40401'],
    }),
    cancel: route({
      ...known,
      id: `cancel${name}Csv`,
      method: 'DELETE',
      path: `${path}/:batchId`,
      summary: `Cancels an export of ${fileName}.`,
      response: emptyReply,
      errors: ['E40401'],
    }),
  };
}

/** Filters as an event carries them: each as it stands in a query. */
export function filterTexts(
  filters: z.ZodObject,
  query: Readonly<Record<string, unknown>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.keys(filters.shape).flatMap((name) => {
      const value = query[name];
      if (value === undefined) return [];
      return [[name, value instanceof Date ? formatDateTime(value) : String(value)]];
    }),
  );
}

const adminAccess = { kind: 'admin', roles: adminRoleBits.partnerAdministration } as const;

const filesCsv = csvExport({
  name: 'Files',
  kind: 'files',
  fileName: 'files.csv',
  encoding: 'Shift_JIS',
  summary: 'Starts an export of files.csv, in Shift-JIS, with the filters of the list.',
  path: '/v1/partner/partners/:pid/files/csv/batches',
  access: { kind: 'partner', roles: admin | developer },
  params: partnerParams,
  existing: partnerParams.extend({ batchId: id }),
  query: zone.extend(fileExportFilters.shape),
  filters: fileExportFilters,
  idField: 'filesCsvBatchId',
});
export const {
  create: createFilesCsv,
  createByGet: createFilesCsvByGet,
  status: getFilesCsv,
  url: getFilesCsvUrl,
  cancel: cancelFilesCsv,
} = filesCsv;

const fileParams = partnerParams.extend({ id });
/** As an event carries them, with the file. */
export const deliveryExportFilters = deliveryFilters.extend({ fileId: z.coerce.number().int() });

const deliveryCsv = csvExport({
  name: 'Delivery',
  kind: 'delivery',
  fileName: 'delivery.csv',
  encoding: 'utf-8',
  summary: 'Starts an export of delivery.csv, the devices of a delivery, with the filters of the list.',
  path: '/v1/partner/partners/:pid/files/:id/delivery/csv/batches',
  access: { kind: 'partner', roles: admin | developer },
  params: fileParams,
  existing: fileParams.extend({ batchId: id }),
  query: zone.extend(deliveryFilters.shape),
  filters: deliveryFilters,
  idField: 'deliveryCsvBatchId',
  ofFile: true,
});
export const {
  create: createDeliveryCsv,
  createByGet: createDeliveryCsvByGet,
  status: getDeliveryCsv,
  url: getDeliveryCsvUrl,
  cancel: cancelDeliveryCsv,
} = deliveryCsv;

const usersCsv = csvExport({
  name: 'Users',
  kind: 'users',
  fileName: 'users.csv',
  encoding: 'utf-8',
  summary:
    'Starts an export of users.csv, with the filters of the list; with `format=import`, only the columns that an import reads.',
  path: '/v1/partner/partners/:pid/users/csv/batches',
  access: { kind: 'partner', roles: admin | developer | pushApi, api: 'group' },
  params: partnerParams,
  existing: partnerParams.extend({ batchId: id }),
  query: zone.extend({ format: z.enum(['import']).optional(), ...userExportFilters.shape }),
  filters: userExportFilters,
  idField: 'usersCsvBatchId',
});
export const {
  create: createUsersCsv,
  createByGet: createUsersCsvByGet,
  status: getUsersCsv,
  url: getUsersCsvUrl,
  cancel: cancelUsersCsv,
} = usersCsv;

const pushNotificationsCsv = csvExport({
  name: 'PushNotifications',
  kind: 'pushNotifications',
  fileName: 'push_notifications.csv',
  encoding: 'utf-8',
  summary: 'Starts an export of push_notifications.csv, with the filters of the list.',
  path: '/v1/partner/partners/:pid/push_notifications/csv/batches',
  access: { kind: 'partner', roles: admin | pushApi, api: 'push' },
  params: partnerParams,
  existing: partnerParams.extend({ batchId: id }),
  query: zone.extend(notificationExportFilters.shape),
  filters: notificationExportFilters,
  idField: 'pushNotificationsCsvBatchId',
});
export const {
  create: createPushNotificationsCsv,
  createByGet: createPushNotificationsCsvByGet,
  status: getPushNotificationsCsv,
  url: getPushNotificationsCsvUrl,
  cancel: cancelPushNotificationsCsv,
} = pushNotificationsCsv;

const operationLogsCsv = csvExport({
  name: 'OperationLogs',
  kind: 'operationLogs',
  fileName: 'operation_logs.csv',
  encoding: 'utf-8',
  summary: 'Starts an export of operation_logs.csv, if the contract allows it.',
  path: '/v1/partner/partners/:pid/operation_logs/csv/batches',
  access: { kind: 'partner', roles: admin },
  params: partnerParams,
  existing: partnerParams.extend({ batchId: id }),
  query: logQuery,
  idField: 'operationLogCreateBatchId',
  failed: 'E40024',
  needs: 'operationLogDownloadFlag',
});
export const {
  create: createOperationLogsCsv,
  createByGet: createOperationLogsCsvByGet,
  status: getOperationLogsCsv,
  url: getOperationLogsCsvUrl,
  cancel: cancelOperationLogsCsv,
} = operationLogsCsv;

const partnersCsv = csvExport({
  name: 'Partners',
  kind: 'partners',
  fileName: 'partners.csv',
  encoding: 'utf-8',
  summary:
    'Starts an export of partners.csv with the filters of the list; for a unit administrator, of their unit.',
  path: '/v1/admin/partners/csv/batches',
  access: adminAccess,
  params: z.object({}),
  existing: z.object({ batchId: id }),
  query: zone.extend(partnerFilters.shape),
  filters: partnerFilters,
  idField: 'partnersCsvBatchId',
});
export const {
  create: createPartnersCsv,
  createByGet: createPartnersCsvByGet,
  status: getPartnersCsv,
  url: getPartnersCsvUrl,
  cancel: cancelPartnersCsv,
} = partnersCsv;

const allOperationLogsCsv = csvExport({
  name: 'AllOperationLogs',
  kind: 'operationLogs',
  fileName: 'operation_logs.csv',
  encoding: 'utf-8',
  summary:
    "Starts an export of operation_logs.csv of all tenants; for a unit administrator, of the unit's partners and administrators.",
  path: '/v1/admin/operation_logs/csv/batches',
  access: adminAccess,
  params: z.object({}),
  existing: z.object({ batchId: id }),
  query: logQuery,
  idField: 'operationLogCreateBatchId',
  failed: 'E40024',
});
export const {
  create: createAllOperationLogsCsv,
  createByGet: createAllOperationLogsCsvByGet,
  status: getAllOperationLogsCsv,
  url: getAllOperationLogsCsvUrl,
  cancel: cancelAllOperationLogsCsv,
} = allOperationLogsCsv;

/** Every export. Adding one is a declaration here, and its rows in the service that owns them. */
export const csvExports = [
  filesCsv,
  deliveryCsv,
  usersCsv,
  pushNotificationsCsv,
  operationLogsCsv,
  partnersCsv,
  allOperationLogsCsv,
] as const;
