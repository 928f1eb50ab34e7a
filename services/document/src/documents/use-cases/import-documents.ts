import { documentEvents, documentLimits, type FieldError, type ImportMode } from '@portal/contracts';
import { AppError, newId } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import type { CollectionRef, DocumentStore, NewDocument } from '../../store/document-store.ts';
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

const refusals = {
  taken: { field: '_id', message: 'notUnique' },
  unknown: { field: '_id', message: 'notFound' },
} as const satisfies Record<string, FieldError>;

/**
 * Stores documents while they arrive, batch by batch; the next is read while one is written. Throws `E40401` for a collection that is not
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

  async function write(batch: Batch): Promise<void> {
    await room.take(batch.bytes);
    const refused = batch.documents.length === 0 ? [] : await run.write(batch.documents);
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
    await eachBatch(request, write);
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
  readonly documents: NewDocument[];
  /** Of each document. */
  readonly lines: number[];
  readonly bad: BadLine[];
  bytes: number;
}

const emptyBatch = (): Batch => ({ documents: [], lines: [], bad: [], bytes: 0 });

/** Calls `write` with one batch after the other; while it runs, the next one is read. One that breaks off is not written. */
async function eachBatch(
  { content, mayBeArray }: Pick<ImportRequest, 'content' | 'mayBeArray'>,
  write: (batch: Batch) => Promise<void>,
): Promise<void> {
  let batch = emptyBatch();
  let writing = Promise.resolve();
  const flush = async () => {
    await writing;
    writing = write(batch);
    // Its failure is told where it is awaited.
    writing.catch(() => undefined);
    batch = emptyBatch();
  };
  try {
    for await (const items of readDocuments(content, { mayBeArray })) {
      for (const item of items) {
        if ('fault' in item) batch.bad.push(item);
        else {
          const { content, id = newId() } = item.document;
          batch.documents.push({ id, content });
          batch.lines.push(item.line);
          batch.bytes += item.bytes;
        }
        const isFull = batch.documents.length + batch.bad.length >= batchCount || batch.bytes >= batchBytes;
        if (isFull) await flush();
      }
    }
    await flush();
  } finally {
    await writing;
  }
}

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
    /** Throws `E40016` where there is none. */
    async take(bytes: number): Promise<void> {
      came += bytes;
      if (came <= allowed) return;
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
