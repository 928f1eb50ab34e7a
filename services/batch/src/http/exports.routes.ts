import { type batchEvents, batchRoutes, limits } from '@portal/contracts';
import { AppError, type Clock } from '@portal/kernel';
import {
  type AdminCaller,
  everything,
  type Implementation,
  implement,
  ofPartner,
  type ServiceContext,
  type TenantCaller,
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

const ofAccount = (kind: batchEvents.CsvKind, { accountId, partnerId }: TenantCaller): Whose => ({
  kind,
  owner: { kind: 'account', id: accountId },
  partnerId,
});

const ofAdmin = (kind: batchEvents.CsvKind, { adminId }: AdminCaller): Whose => ({
  kind,
  owner: { kind: 'admin', id: adminId },
  partnerId: null,
});

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

  async function url(id: number, whose: Whose) {
    const { objectKey, status: reached } = await find(id, whose);
    if (reached !== 'complete') {
      const isLostLog = reached === 'failed' && whose.kind === 'operationLogs';
      throw new AppError(isLostLog ? 'E40024' : 'E40034');
    }
    const expiresAt = new Date(clock.now().getTime() + limits.signedUrlLifetime);
    return { signedUrl: await storage.presignGet(objectKey, { expiresAt, ...files[whose.kind] }) };
  }

  async function cancel(id: number, whose: Whose) {
    await cancelExport(deps, id, whose);
    return {};
  }

  return [
    ...[batchRoutes.createFilesCsv, batchRoutes.createFilesCsvByGet].map((contract) =>
      implement(contract, async ({ query }, { caller, language }) => {
        const whose = ofAccount('files', caller);
        const id = await requestExport(deps, { ...whose, timeZone: query.tz, language });
        return { id, filesCsvBatchId: id };
      }),
    ),
    implement(batchRoutes.getFilesCsv, async ({ params }, { caller }) =>
      status(params.batchId, ofAccount('files', caller)),
    ),
    implement(batchRoutes.getFilesCsvUrl, async ({ params }, { caller }) =>
      url(params.batchId, ofAccount('files', caller)),
    ),
    implement(batchRoutes.cancelFilesCsv, async ({ params }, { caller }) =>
      cancel(params.batchId, ofAccount('files', caller)),
    ),

    ...[batchRoutes.createUsersCsv, batchRoutes.createUsersCsvByGet].map((contract) =>
      implement(contract, async ({ query }, { caller, language }) => {
        const whose = ofAccount('users', caller);
        const forImport = query.format === 'import';
        const id = await requestExport(deps, { ...whose, timeZone: query.tz, language, forImport });
        return { id, usersCsvBatchId: id };
      }),
    ),
    implement(batchRoutes.getUsersCsv, async ({ params }, { caller }) =>
      status(params.batchId, ofAccount('users', caller)),
    ),
    implement(batchRoutes.getUsersCsvUrl, async ({ params }, { caller }) =>
      url(params.batchId, ofAccount('users', caller)),
    ),
    implement(batchRoutes.cancelUsersCsv, async ({ params }, { caller }) =>
      cancel(params.batchId, ofAccount('users', caller)),
    ),

    ...[batchRoutes.createOperationLogsCsv, batchRoutes.createOperationLogsCsvByGet].map((contract) =>
      implement(contract, async ({ query }, { caller, language }) => {
        const { operationLogDownloadFlag } = await knowPartner(deps, caller.partnerId);
        if (!operationLogDownloadFlag) throw new AppError('E40301');
        const id = await requestExport(deps, {
          ...ofAccount('operationLogs', caller),
          timeZone: query.tz,
          language,
          dateStart: query.operationDateStart,
          dateEnd: query.operationDateEnd,
        });
        return { id, operationLogCreateBatchId: id };
      }),
    ),
    implement(batchRoutes.getOperationLogsCsv, async ({ params }, { caller }) =>
      status(params.batchId, ofAccount('operationLogs', caller)),
    ),
    implement(batchRoutes.getOperationLogsCsvUrl, async ({ params }, { caller }) =>
      url(params.batchId, ofAccount('operationLogs', caller)),
    ),
    implement(batchRoutes.cancelOperationLogsCsv, async ({ params }, { caller }) =>
      cancel(params.batchId, ofAccount('operationLogs', caller)),
    ),

    ...[batchRoutes.createPartnersCsv, batchRoutes.createPartnersCsvByGet].map((contract) =>
      implement(contract, async ({ query }, { caller, language }) => {
        const whose = ofAdmin('partners', caller);
        const unitId = caller.unitId ?? undefined;
        const id = await requestExport(deps, { ...whose, unitId, timeZone: query.tz, language });
        return { id, partnersCsvBatchId: id };
      }),
    ),
    implement(batchRoutes.getPartnersCsv, async ({ params }, { caller }) =>
      status(params.batchId, ofAdmin('partners', caller)),
    ),
    implement(batchRoutes.getPartnersCsvUrl, async ({ params }, { caller }) =>
      url(params.batchId, ofAdmin('partners', caller)),
    ),
    implement(batchRoutes.cancelPartnersCsv, async ({ params }, { caller }) =>
      cancel(params.batchId, ofAdmin('partners', caller)),
    ),

    ...[batchRoutes.createAllOperationLogsCsv, batchRoutes.createAllOperationLogsCsvByGet].map((contract) =>
      implement(contract, async ({ query }, { caller, language }) => {
        const id = await requestExport(deps, {
          ...ofAdmin('operationLogs', caller),
          unitId: caller.unitId ?? undefined,
          timeZone: query.tz,
          language,
          dateStart: query.operationDateStart,
          dateEnd: query.operationDateEnd,
        });
        return { id, operationLogCreateBatchId: id };
      }),
    ),
    implement(batchRoutes.getAllOperationLogsCsv, async ({ params }, { caller }) =>
      status(params.batchId, ofAdmin('operationLogs', caller)),
    ),
    implement(batchRoutes.getAllOperationLogsCsvUrl, async ({ params }, { caller }) =>
      url(params.batchId, ofAdmin('operationLogs', caller)),
    ),
    implement(batchRoutes.cancelAllOperationLogsCsv, async ({ params }, { caller }) =>
      cancel(params.batchId, ofAdmin('operationLogs', caller)),
    ),
  ];
}
