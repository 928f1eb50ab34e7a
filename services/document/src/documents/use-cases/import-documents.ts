import { documentEvents, documentLimits, type FieldError, type ImportMode } from '@portal/contracts';
import { AppError, newId } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import type {
  CollectionRef,
  DocumentStore,
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
  /** What the database may hold, and did when it was last measured. */
  readonly quotaBytes: number;
  readonly usageBytes: number;
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
 * there and `E40016` once the database is full; where the sender breaks off, as then, whole batches stay, and with `allOrNothing` none.
 */
export async function importDocuments(
  { documents, store }: Pick<Dependencies, 'documents' | 'store'>,
  collection: CollectionRef,
  request: ImportRequest,
): Promise<ImportResult> {
  const { allOrNothing, mode } = request;
  const run = await documents.openImport(collection, { mode, allOrNothing });
  const room = createRoom(documents, collection, request);
  const badLines: BadLine[] = [];
  let written = 0;
  let failed = 0;
  let stored: number | undefined;

  function note(batch: Batch, refused: readonly ImportFailure[]): void {
    written += batch.documents.length - refused.length;
    const lines = refused.map(({ index, reason }) => ({
      line: batch.lines[index] ?? 0,
      fault: refusals[reason],
    }));
    const bad = [...batch.bad, ...lines];
    failed += bad.length;
    const shown = documentLimits.importErrorsShown - badLines.length;
    if (shown > 0) badLines.push(...bad.sort((a, b) => a.line - b.line).slice(0, shown));
  }

  try {
    await eachBatch(request, { room, run, note });
    if (allOrNothing && failed > 0) await run.discard();
    else stored = await run.finish();
    return { count: stored ?? 0, failed, badLines };
  } catch (error) {
    await run.discard();
    throw error;
  } finally {
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
  readonly room: Room;
  readonly run: ImportRun;
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
function createWriter({ note, room, run }: Writing) {
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
      if (!room.has(batch.bytes)) {
        // What is on its way has to be measured with the rest.
        await settle();
        await room.find(batch.bytes);
      }
      const written = batch.documents.length === 0 ? Promise.resolve([]) : run.write(batch.documents);
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

type Room = ReturnType<typeof createRoom>;

/** The room that a database has for an import. */
function createRoom(
  documents: Pick<DocumentStore, 'usage'>,
  collection: CollectionRef,
  { allOrNothing, mode, quotaBytes, usageBytes }: ImportRequest,
) {
  // What replaces a document takes its place.
  const replaces = mode !== 'insert';
  /** That came since the database was measured, and may come before it is again. */
  let came = 0;
  let allowed = quotaBytes - usageBytes;
  return {
    /** Takes it where there is room as far as is known. */
    has(bytes: number): boolean {
      came += bytes;
      return came <= allowed;
    },
    /** Measures the database once more for what `has` did not take. Throws `E40016` where there is no room. */
    async find(bytes: number): Promise<void> {
      if (allOrNothing) {
        // What waits is not measured.
        if (replaces && came <= quotaBytes) return;
        throw full();
      }
      const { bytes: usage } = await documents.usage(collection);
      if (usage + (replaces ? 0 : bytes) > quotaBytes) throw full();
      came = bytes;
      allowed = Math.max(quotaBytes - usage, replaces ? leastBetween : 0);
    },
  };
}

/** Bytes of documents that replace others, before the database is measured again. */
const leastBetween = 16 * batchBytes;

const full = () => new AppError('E40016', [], { messageKey: 'databaseFull' });
