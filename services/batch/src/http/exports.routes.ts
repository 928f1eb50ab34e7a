import { type batchEvents, batchRoutes } from '@portal/contracts';
import { AppError, type Clock } from '@portal/kernel';
import {
  type Caller,
  everything,
  type Implementation,
  implement,
  ofPartner,
  type ServiceContext,
} from '@portal/service-kit';
import type { BatchDb } from '../data/db.ts';
import { type ExportOwner, getExport } from '../data/export-repository.ts';
import { knowPartner } from '../data/partner-repository.ts';
import { progressOf } from '../domain/export.ts';
import { cancelExport } from '../use-cases/cancel-export.ts';
import { requestExport } from '../use-cases/request-export.ts';

type Dependencies = Pick<ServiceContext<BatchDb, unknown>, 'peers' | 'storage' | 'store'> & {
  readonly clock: Clock;
};

interface Whose {
  readonly kind: batchEvents.CsvKind;
  readonly owner: ExportOwner;
  readonly partnerId: number | null;
}

/** The exports of a kind that a caller has: those that they asked for themselves. */
function ofCaller(kind: batchEvents.CsvKind, caller: Caller): Whose {
  return caller.kind === 'admin'
    ? { kind, owner: { kind: 'admin', id: caller.adminId }, partnerId: null }
    : { kind, owner: { kind: 'account', id: caller.accountId }, partnerId: caller.partnerId };
}

type Contracts = typeof batchRoutes;
type Exported = 'Files' | 'Users' | 'OperationLogs' | 'Partners' | 'AllOperationLogs';

/** The contracts of what is done with an export that exists. */
interface ExistingContracts {
  readonly status: Contracts[`get${Exported}Csv`];
  readonly url: Contracts[`get${Exported}CsvUrl`];
  readonly cancel: Contracts[`cancel${Exported}Csv`];
}

const files: Record<batchEvents.CsvKind, { fileName: string; contentType: string }> = {
  files: { fileName: 'files.csv', contentType: 'text/csv; charset=Shift_JIS' },
  users: { fileName: 'users.csv', contentType: 'text/csv; charset=utf-8' },
  partners: { fileName: 'partners.csv', contentType: 'text/csv; charset=utf-8' },
  operationLogs: { fileName: 'operation_logs.csv', contentType: 'text/csv; charset=utf-8' },
};

/** Every export is created, polled, fetched and cancelled in the same way. */
export function exportRoutes(deps: Dependencies): Implementation[] {
  const { clock, storage, store } = deps;

  const find = async (id: number, whose: Whose) =>
    store.read(whose.partnerId === null ? everything : ofPartner(whose.partnerId), (db) =>
      getExport(db, id, whose),
    );

  async function status(id: number, whose: Whose) {
    const found = await find(id, whose);
    return { id, status: found.status, progress: progressOf(found), rowCount: found.rowCount };
  }

  /** It ends with the session, and with the token: sessions that ended are known for as long as their tokens. */
  async function url(id: number, caller: Caller, whose: Whose) {
    const { objectKey, status: reached } = await find(id, whose);
    if (reached !== 'complete') {
      const isLostLog = reached === 'failed' && whose.kind === 'operationLogs';
      throw new AppError(isLostLog ? 'E40024' : 'E40034');
    }
    const { expiresAt, sessionId } = caller;
    const until = Math.min(clock.now().getTime() + storage.urlLifetime, expiresAt.getTime());
    const signedUrl = await storage.presignGet(objectKey, {
      expiresAt: new Date(until),
      use: { purpose: 'export', sessionId },
      ...files[whose.kind],
    });
    return { signedUrl };
  }

  const existing = (kind: batchEvents.CsvKind, contracts: ExistingContracts): Implementation[] => [
    implement(contracts.status, async ({ params }, { caller }) =>
      status(params.batchId, ofCaller(kind, caller)),
    ),
    implement(contracts.url, async ({ params }, { caller }) =>
      url(params.batchId, caller, ofCaller(kind, caller)),
    ),
    implement(contracts.cancel, async ({ params }, { caller }) => {
      await cancelExport(deps, params.batchId, ofCaller(kind, caller));
      return {};
    }),
  ];

  return [
    ...[batchRoutes.createFilesCsv, batchRoutes.createFilesCsvByGet].map((contract) =>
      implement(contract, async ({ query }, { caller, language }) => {
        const whose = ofCaller('files', caller);
        const id = await requestExport(deps, { ...whose, timeZone: query.tz, language });
        return { id, filesCsvBatchId: id };
      }),
    ),
    ...existing('files', {
      status: batchRoutes.getFilesCsv,
      url: batchRoutes.getFilesCsvUrl,
      cancel: batchRoutes.cancelFilesCsv,
    }),

    ...[batchRoutes.createUsersCsv, batchRoutes.createUsersCsvByGet].map((contract) =>
      implement(contract, async ({ query }, { caller, language }) => {
        const whose = ofCaller('users', caller);
        const forImport = query.format === 'import';
        const id = await requestExport(deps, { ...whose, timeZone: query.tz, language, forImport });
        return { id, usersCsvBatchId: id };
      }),
    ),
    ...existing('users', {
      status: batchRoutes.getUsersCsv,
      url: batchRoutes.getUsersCsvUrl,
      cancel: batchRoutes.cancelUsersCsv,
    }),

    ...[batchRoutes.createOperationLogsCsv, batchRoutes.createOperationLogsCsvByGet].map((contract) =>
      implement(contract, async ({ query }, { caller, language }) => {
        const { operationLogDownloadFlag } = await knowPartner(deps, caller.partnerId);
        if (!operationLogDownloadFlag) throw new AppError('E40301');
        const id = await requestExport(deps, {
          ...ofCaller('operationLogs', caller),
          timeZone: query.tz,
          language,
          dateStart: query.operationDateStart,
          dateEnd: query.operationDateEnd,
        });
        return { id, operationLogCreateBatchId: id };
      }),
    ),
    ...existing('operationLogs', {
      status: batchRoutes.getOperationLogsCsv,
      url: batchRoutes.getOperationLogsCsvUrl,
      cancel: batchRoutes.cancelOperationLogsCsv,
    }),

    ...[batchRoutes.createPartnersCsv, batchRoutes.createPartnersCsvByGet].map((contract) =>
      implement(contract, async ({ query }, { caller, language }) => {
        const whose = ofCaller('partners', caller);
        const unitId = caller.unitId ?? undefined;
        const id = await requestExport(deps, { ...whose, unitId, timeZone: query.tz, language });
        return { id, partnersCsvBatchId: id };
      }),
    ),
    ...existing('partners', {
      status: batchRoutes.getPartnersCsv,
      url: batchRoutes.getPartnersCsvUrl,
      cancel: batchRoutes.cancelPartnersCsv,
    }),

    ...[batchRoutes.createAllOperationLogsCsv, batchRoutes.createAllOperationLogsCsvByGet].map((contract) =>
      implement(contract, async ({ query }, { caller, language }) => {
        const id = await requestExport(deps, {
          ...ofCaller('operationLogs', caller),
          unitId: caller.unitId ?? undefined,
          timeZone: query.tz,
          language,
          dateStart: query.operationDateStart,
          dateEnd: query.operationDateEnd,
        });
        return { id, operationLogCreateBatchId: id };
      }),
    ),
    ...existing('operationLogs', {
      status: batchRoutes.getAllOperationLogsCsv,
      url: batchRoutes.getAllOperationLogsCsvUrl,
      cancel: batchRoutes.cancelAllOperationLogsCsv,
    }),
  ];
}
