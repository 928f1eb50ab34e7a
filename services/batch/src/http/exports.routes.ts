import { batchRoutes } from '@portal/contracts';
import { findFile } from '@portal/contracts/internal';
import type { Scope } from '@portal/database';
import { AppError, type Clock } from '@portal/kernel';
import { type Caller, type Implementation, implement, type ServiceContext } from '@portal/service-kit';
import type { BatchDb } from '../data/db.ts';
import { type ExportOwner, requireExport } from '../data/export-repository.ts';
import { knowPartner } from '../data/partner-repository.ts';
import { progressOf } from '../domain/export.ts';
import { cancelExport } from '../use-cases/cancel-export.ts';
import { requestExport } from '../use-cases/request-export.ts';

type Dependencies = Pick<ServiceContext<BatchDb, unknown>, 'peers' | 'storage' | 'store'> & {
  readonly clock: Clock;
};

interface Whose {
  readonly kind: string;
  readonly owner: ExportOwner;
  readonly partnerId: number | null;
  readonly unitId: number | null;
  readonly scope: Scope;
}

/** The exports of a kind that a caller has: those that they asked for themselves. */
function ofCaller(kind: string, { caller, scope }: { caller: Caller; scope: Scope }): Whose {
  return caller.kind === 'admin'
    ? { kind, owner: { kind: 'admin', id: caller.adminId }, partnerId: null, unitId: caller.unitId, scope }
    : {
        kind,
        owner: { kind: 'account', id: caller.accountId },
        partnerId: caller.partnerId,
        unitId: null,
        scope,
      };
}

type CsvExport = (typeof batchRoutes.csvExports)[number];

/** What one export or another can be asked for. */
interface ExportQuery {
  readonly tz: string;
  readonly format?: 'import' | undefined;
  readonly operationDateStart?: Date | undefined;
  readonly operationDateEnd?: Date | undefined;
}

/** Every export is created, polled, fetched and cancelled in the same way. */
export function exportRoutes(deps: Dependencies): Implementation[] {
  const { clock, peers, storage, store } = deps;

  const find = async (id: number, whose: Whose) =>
    store.read(whose.scope, (db) => requireExport(db, id, whose));

  async function status(id: number, whose: Whose) {
    const found = await find(id, whose);
    return { id, status: found.status, progress: progressOf(found), rowCount: found.rowCount };
  }

  /** It ends with the session, and with the token: sessions that ended are known for as long as their tokens. */
  async function url(id: number, caller: Caller, whose: Whose, of: CsvExport) {
    const { objectKey, status: reached } = await find(id, whose);
    if (reached !== 'complete') throw new AppError((reached === 'failed' && of.failed) || 'E40034');
    const { expiresAt, sessionId } = caller;
    const until = Math.min(clock.now().getTime() + storage.urlLifetime, expiresAt.getTime());
    const signedUrl = await storage.presignGet(objectKey, {
      expiresAt: new Date(until),
      use: { purpose: 'export', sessionId },
      fileName: of.fileName,
      contentType: of.contentType,
    });
    return { signedUrl };
  }

  /** The file that the rows are of, which the tenant has. */
  async function fileOf({ ofFile }: CsvExport, params: object, { partnerId }: Whose) {
    if (!ofFile || partnerId === null || !('id' in params)) return {};
    const fileId = Number(params.id);
    await peers.call(findFile, { body: { partnerId, fileId } });
    return { fileId: String(fileId) };
  }

  async function assertAllowed({ needs }: CsvExport, { partnerId }: Whose): Promise<void> {
    if (needs === undefined || partnerId === null) return;
    const partner = await knowPartner(deps, partnerId);
    if (!partner[needs]) throw new AppError('E40301');
  }

  return batchRoutes.csvExports.flatMap((of) => [
    ...[of.create, of.createByGet].map((contract) =>
      implement(contract, async ({ params, query }, call) => {
        const { format, operationDateEnd, operationDateStart, tz }: ExportQuery = query;
        const whose = ofCaller(of.kind, call);
        await assertAllowed(of, whose);
        const file = await fileOf(of, params, whose);
        const id = await requestExport(deps, {
          ...whose,
          timeZone: tz,
          language: call.language,
          forImport: format === 'import',
          dateStart: operationDateStart,
          dateEnd: operationDateEnd,
          filter: of.filters && { ...batchRoutes.filterTexts(of.filters, query), ...file },
        });
        return of.created(id);
      }),
    ),
    implement(of.status, async ({ params }, call) => status(params.batchId, ofCaller(of.kind, call))),
    implement(of.url, async ({ params }, call) =>
      url(params.batchId, call.caller, ofCaller(of.kind, call), of),
    ),
    implement(of.cancel, async ({ params }, call) => {
      await cancelExport(deps, params.batchId, ofCaller(of.kind, call));
      return {};
    }),
  ]);
}
