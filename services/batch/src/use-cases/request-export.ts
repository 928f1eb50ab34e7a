import { batchEvents, formatDateTime, type Language } from '@portal/contracts';
import { knownTimeZone } from '@portal/csv-export';
import type { Scope } from '@portal/database';
import { type Clock, fieldError, newId } from '@portal/kernel';
import type { Store } from '@portal/service-kit';
import { tenantKey } from '@portal/storage';
import type { BatchDb } from '../data/db.ts';
import { type ExportOwner, insertExport } from '../data/export-repository.ts';

export interface ExportRequest {
  readonly kind: string;
  readonly owner: ExportOwner;
  /** Null: of all tenants, or of those of `unitId`. */
  readonly partnerId: number | null;
  /** Null: of no unit. */
  readonly unitId: number | null;
  /** Whose rows its owner may see. */
  readonly scope: Scope;
  readonly timeZone: string;
  readonly language: Language;
  readonly forImport?: boolean;
  readonly dateStart?: Date | undefined;
  readonly dateEnd?: Date | undefined;
  /** The filters of the list, as its queries name them. */
  readonly filter?: Readonly<Record<string, string>> | undefined;
}

/**
 * Requests an export from the service that owns the rows.
 * Throws `E40010` while one of its kind runs for this owner, `E40002` for a time zone that only some know and for a range
 * that ends before it begins.
 */
export async function requestExport(
  { clock, store }: { clock: Clock; store: Store<BatchDb> },
  request: ExportRequest,
): Promise<number> {
  const { dateEnd, dateStart, filter, forImport, kind, language, owner, partnerId, scope, unitId } = request;
  if (dateStart && dateEnd && dateEnd < dateStart) {
    throw fieldError('E40002', 'operationDateEnd', 'endBeforeStart');
  }
  const timeZone = await store.read(scope, (db) => knownTimeZone(db, request.timeZone));
  const folder = partnerId === null ? 'exports' : tenantKey(partnerId, 'exports');
  const objectKey = `${folder}/${newId()}`;
  const { id } = await store.write(scope, async ({ db, outbox }) => {
    const batchId = await insertExport(db, { kind, owner, partnerId, unitId, objectKey }, clock.now());
    outbox.append(batchEvents.csvRequested, {
      subject: batchId,
      partnerId,
      data: {
        batchId,
        kind,
        objectKey,
        timeZone,
        language,
        ...(forImport && { forImport }),
        ...(dateStart && { dateStart: formatDateTime(dateStart) }),
        ...(dateEnd && { dateEnd: formatDateTime(dateEnd) }),
        ...(filter && { filter: { ...filter } }),
        ...(unitId !== null && { unitId }),
      },
    });
    return { id: batchId };
  });
  return id;
}
