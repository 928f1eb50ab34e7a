import { documentEvents, documentLimits, type FieldError, type ImportMode } from '@portal/contracts';
import { newId } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import type {
  CollectionRef,
  ImportedDocument,
  ImportFailure,
  ImportRun,
} from '../../store/document-store.ts';
import { type BadLine, readDocuments } from '../import/read-documents.ts';

interface ImportRequest {
  readonly content: AsyncIterable<Uint8Array>;
  readonly mayBeArray: boolean;
  readonly mode: ImportMode;
  readonly allOrNothing: boolean;
  /** What the database may hold. */
  readonly quotaBytes: number;
}

interface ImportResult {
  /** Documents that were stored. */
  readonly count: number;
  readonly failed: number;
  /** The first of them, in the order of their lines. */
  readonly badLines: readonly BadLine[];
}

/** Documents, and bytes of them, of one batch. */
const batchCount = 1_000;
const batchBytes = 1024 * 1024;
/** Batches that are written: while one waits for the disk, the store works on the other. */
const mostAtOnce = 2;

const refusals = {
  taken: { field: '_id', message: 'notUnique' },
  unknown: { field: '_id', message: 'notFound' },
} as const satisfies Record<string, FieldError>;

/**
 * Stores documents while they arrive, batch by batch; the next is read while two are written. Throws `E40401` for a collection that is not
 * there and `E40016` once there is no more room in the database; where the sender breaks off, as then, whole batches stay, and with `allOrNothing` none.
 */
export async function importDocuments(
  {
    databases,
    documents,
    importRooms,
    logger,
    store,
  }: Pick<Dependencies, 'databases' | 'documents' | 'importRooms' | 'logger' | 'store'>,
  collection: CollectionRef,
  request: ImportRequest,
): Promise<ImportResult> {
  const { allOrNothing, mode, quotaBytes } = request;
  const run = await documents.openImport(collection, { mode, allOrNothing });
  const demand = { quotaBytes, replaces: mode !== 'insert', waits: allOrNothing };
  const badLines: BadLine[] = [];
  let written = 0;
  let writtenBytes = 0;
  let failed = 0;
  let stored: number | undefined;

  function note(batch: Batch, refused: readonly ImportFailure[]): void {
    written += batch.documents.length - refused.length;
    writtenBytes += batch.bytes;
    const lines = refused.map(({ index, reason }) => ({
      line: batch.lines[index] ?? 0,
      fault: refusals[reason],
    }));
    const bad = [...batch.bad, ...lines];
    failed += bad.length;
    const shown = documentLimits.importErrorsShown - badLines.length;
    if (shown > 0) badLines.push(...bad.sort((a, b) => a.line - b.line).slice(0, shown));
  }

  /** Nobody sees what waits: where it stays for now, the sender is told the same. */
  async function discard(): Promise<void> {
    await run.discard().catch((error: unknown) => {
      const { partnerId } = collection;
      logger.warn({ err: error, partnerId }, 'Documents of an import that was not to be stored stay for now');
    });
  }

  try {
    await eachBatch(request, {
      begin: async (bytes, work) => importRooms.begin(collection, demand, bytes, work),
      // It may go on for hours.
      write: async (batch) => run.write(batch).finally(() => databases.noteChange(collection)),
      note,
    });
    if (allOrNothing && failed > 0) await discard();
    else {
      if (allOrNothing) await importRooms.requireToFinish(collection, demand, writtenBytes);
      stored = await run.finish();
    }
    return { count: stored ?? 0, failed, badLines };
  } catch (error) {
    await discard();
    throw error;
  } finally {
    databases.noteChange(collection);
    const count = stored ?? (allOrNothing ? 0 : written);
    if (count > 0) {
      const { partnerId } = collection;
      await store.write(ofPartner(partnerId), async ({ outbox }) => {
        const data = { ...collection, mode, count, failed };
        outbox.append(documentEvents.documentsImported, { subject: partnerId, partnerId, data });
      });
    }
  }
}

interface Batch {
  readonly documents: ImportedDocument[];
  /** Of each document. */
  readonly lines: number[];
  /** Those that the sender chose. */
  readonly ids: Set<string>;
  readonly bad: BadLine[];
  bytes: number;
}

const emptyBatch = (): Batch => ({ documents: [], lines: [], ids: new Set(), bad: [], bytes: 0 });

interface Writing {
  /** As `ImportRooms` has it. */
  readonly begin: <T>(bytes: number, work: () => Promise<T>) => Promise<{ readonly done: Promise<T> }>;
  readonly write: ImportRun['write'];
  /** Called for each batch that was written, in their order. */
  readonly note: (batch: Batch, refused: readonly ImportFailure[]) => void;
}

/** Writes one batch after the other; meanwhile the next one is read. One that breaks off is not written. */
async function eachBatch(
  { content, mayBeArray }: Pick<ImportRequest, 'content' | 'mayBeArray'>,
  writing: Writing,
): Promise<void> {
  let batch = emptyBatch();
  const writer = createWriter(writing);
  const flush = async () => {
    await writer.add(batch);
    batch = emptyBatch();
  };
  try {
    for await (const items of readDocuments(content, { mayBeArray })) {
      for (const item of items) {
        if ('fault' in item) batch.bad.push(item);
        else {
          const { bytes, id, json, line } = item;
          if (id !== undefined) batch.ids.add(id);
          batch.documents.push({ id: id ?? newId(), json });
          batch.lines.push(line);
          batch.bytes += bytes;
        }
        const isFull = batch.documents.length + batch.bad.length >= batchCount || batch.bytes >= batchBytes;
        if (isFull) await flush();
      }
    }
    await flush();
  } finally {
    await writer.settle();
  }
}

/** Has several batches written at once, but no two with the same `_id`: of those the order tells which one stays. */
function createWriter({ begin, note, write }: Writing) {
  const underWay: { readonly batch: Batch; readonly written: Promise<readonly ImportFailure[]> }[] = [];

  async function settleOldest(): Promise<void> {
    const oldest = underWay.shift();
    if (oldest) note(oldest.batch, await oldest.written);
  }

  /** Rejects with what one of them failed with. */
  async function settle(): Promise<void> {
    while (underWay.length > 0) await settleOldest();
  }

  return {
    /** Resolves once it is on its way. */
    async add(batch: Batch): Promise<void> {
      const mustWait = (): boolean =>
        underWay.length === mostAtOnce || underWay.some((other) => haveCommon(batch.ids, other.batch.ids));
      while (mustWait()) await settleOldest();
      const { done: written } =
        batch.documents.length === 0
          ? { done: Promise.resolve([]) }
          : await begin(batch.bytes, async () => write(batch.documents));
      // Its failure is told where it is awaited.
      written.catch(() => undefined);
      underWay.push({ batch, written });
    },
    settle,
  };
}

function haveCommon(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const one of some) if (others.has(one)) return true;
  return false;
}
