import { AppError, slices } from '@portal/kernel';
import type {
  CollectionRef,
  ImportedDocument,
  ImportFailure,
  ImportOptions,
  ImportRun,
} from '../document-store.ts';
import { asked, errorsOf, type MongoCollection, mongo } from './connection.ts';
import { decodeContent, encodeContent } from './encoding.ts';
import type { Registry } from './registry.ts';

type Mode = ImportOptions['mode'];

const batchSize = 1_000;
/** How often an import that waits says that its process is there. */
const tellEveryMs = 60_000;

/** Each batch is one command of MongoDB, which writes each document for itself. */
export function importAtOnce(registry: Registry, ref: CollectionRef, { mode }: ImportOptions): ImportRun {
  let count = 0;
  return {
    write: async (documents) =>
      asked(async () => {
        const failures = await registry.write(ref, async (collection) =>
          writeBatch(collection.documents, mode, documents),
        );
        count += documents.length - failures.length;
        return failures;
      }),
    finish: async () => Promise.resolve(count),
    discard: async () => Promise.resolve(),
  };
}

async function writeBatch(
  collection: MongoCollection,
  mode: Mode,
  documents: readonly ImportedDocument[],
): Promise<readonly ImportFailure[]> {
  if (documents.length === 0) return [];
  if (mode === 'insert') return insertBatch(collection, documents, new Date().toISOString());
  const unknown = mode === 'replace' ? await unknownOf(collection, documents) : [];
  const refused = new Set(unknown.map(({ index }) => index));
  const now = new Date().toISOString();
  const changes = lastOfEach(documents.filter((_, index) => !refused.has(index))).map(({ id, json }) => ({
    updateOne: {
      filter: { _id: id },
      update: {
        $set: { d: encodeContent(JSON.parse(json)), u: now },
        $inc: { v: 1 },
        ...(mode === 'upsert' ? { $setOnInsert: { c: now } } : {}),
      },
      upsert: mode === 'upsert',
    },
  }));
  let unmatched = changes.length;
  // Two that make the same document at once: the second finds that of the first.
  for (let attempt = 1; changes.length > 0; attempt += 1) {
    try {
      unmatched -= (await collection.bulkWrite(changes, { ordered: false })).matchedCount;
      break;
    } catch (error) {
      const isRace = error instanceof mongo.MongoBulkWriteError && attempt < 5;
      if (!isRace) throw error;
      unmatched -= error.matchedCount;
      const failed = new Set(errorsOf(error).map(({ index }) => index));
      changes.splice(0, changes.length, ...changes.filter((_, index) => failed.has(index)));
    }
  }
  if (mode !== 'replace' || unmatched === 0) return unknown;
  // Somebody deleted them in between.
  const gone = (await unknownOf(collection, documents)).filter(({ index }) => !refused.has(index));
  return [...unknown, ...gone].toSorted((one, other) => one.index - other.index);
}

async function insertBatch(
  collection: MongoCollection,
  documents: readonly ImportedDocument[],
  moment: string,
): Promise<readonly ImportFailure[]> {
  try {
    await collection.insertMany(
      documents.map(({ id, json }) => ({
        _id: id,
        v: 1,
        c: moment,
        u: moment,
        d: encodeContent(JSON.parse(json)),
      })),
      { ordered: false },
    );
    return [];
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
    const errors = errorsOf(error);
    if (errors.some(({ code }) => code !== 11_000)) throw error;
    return errors
      .map(({ index }): ImportFailure => ({ index, reason: 'taken' }))
      .toSorted((one, other) => one.index - other.index);
  }
}

async function unknownOf(
  collection: MongoCollection,
  documents: readonly ImportedDocument[],
): Promise<readonly ImportFailure[]> {
  const known = await idsAmong(
    collection,
    documents.map(({ id }) => id),
  );
  return documents.flatMap(({ id }, index): ImportFailure[] =>
    known.has(id) ? [] : [{ index, reason: 'unknown' }],
  );
}

async function idsAmong(collection: MongoCollection, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await collection.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
  return new Set(found.map(({ _id }) => _id));
}

/** One document per `_id`, the last of each. */
const lastOfEach = (documents: readonly ImportedDocument[]): readonly ImportedDocument[] => [
  ...new Map(documents.map((document) => [document.id, document])).values(),
];

/**
 * Documents wait in a collection that nobody can name. MongoDB promises no transaction (a single server has none): what would be
 * refused is looked for first, and what was inserted until another writer came in between, or the engine broke off, is taken back.
 */
export async function importAllOrNothing(
  registry: Registry,
  ref: CollectionRef,
  { mode }: ImportOptions,
): Promise<ImportRun> {
  const waiting = await asked(async () => registry.addWaiting(ref));
  // What is not told now is told the next time.
  const telling = setInterval(() => {
    registry.tellWaiting(ref, waiting.name).catch(() => undefined);
  }, tellEveryMs);
  const forget = async () => {
    clearInterval(telling);
    await registry.remove({ ...ref, collection: waiting.name });
  };
  const replaceAll = async (target: MongoCollection): Promise<number> => {
    let count = 0;
    for await (const batch of batchesOf(waiting.documents)) {
      if ((await writeBatch(target, mode, batch)).length > 0) throw new AppError('E40034');
      count += batch.length;
    }
    return count;
  };
  const insertAll = async (target: MongoCollection): Promise<number> => {
    const moment = new Date().toISOString();
    /** Of a batch that breaks off, all that it may have inserted. */
    let inserted: string[] = [];
    try {
      for await (const batch of batchesOf(waiting.documents)) {
        inserted.push(...batch.map(({ id }) => id));
        const refused = await insertBatch(target, batch, moment);
        if (refused.length === 0) continue;
        const ofOthers = new Set(refused.map(({ index }) => batch[index]?.id));
        inserted = inserted.filter((id) => !ofOthers.has(id));
        throw new AppError('E40034');
      }
      return inserted.length;
    } catch (error) {
      // Where the engine is away, what it has stays; the caller hears of the import's own failure.
      await takeBack(target, inserted, moment).catch(() => undefined);
      throw error;
    }
  };
  return {
    write: async (documents) =>
      asked(async () => {
        const { documents: target } = await registry.load(ref);
        const refused = await refusedIn(target, mode, documents);
        const places = new Map(refused.map(({ index }) => [index, true]));
        const accepted = [...documents.keys()].filter((index) => !places.has(index));
        const again = await writeBatch(
          waiting.documents,
          mode === 'insert' ? 'insert' : 'upsert',
          accepted.map((index) => documents[index]).filter((document) => document !== undefined),
        );
        return [
          ...refused,
          ...again.map((failure) => ({ ...failure, index: accepted[failure.index] ?? 0 })),
        ].toSorted((one, other) => one.index - other.index);
      }),
    finish: async () =>
      asked(async () => {
        const { documents: target } = await registry.load(ref);
        // It may have been taken for left by a process that had ended.
        if (!(await registry.tellWaiting(ref, waiting.name))) throw new AppError('E40034');
        for await (const batch of batchesOf(waiting.documents)) {
          if ((await refusedIn(target, mode, batch)).length > 0) throw new AppError('E40034');
        }
        const count = await (mode === 'insert' ? insertAll : replaceAll)(target);
        await forget();
        return count;
      }),
    discard: async () => asked(forget),
  };
}

async function refusedIn(
  collection: MongoCollection,
  mode: Mode,
  documents: readonly ImportedDocument[],
): Promise<readonly ImportFailure[]> {
  if (mode === 'upsert') return [];
  if (mode === 'replace') return unknownOf(collection, documents);
  const taken = await idsAmong(
    collection,
    documents.map(({ id }) => id),
  );
  return documents.flatMap(({ id }, index): ImportFailure[] =>
    taken.has(id) ? [{ index, reason: 'taken' }] : [],
  );
}

/** Those of them that were made at that moment, and not replaced since: others may have made documents of these names, too. */
async function takeBack(collection: MongoCollection, ids: readonly string[], moment: string): Promise<void> {
  for (const some of slices(ids, batchSize)) {
    await collection.deleteMany({ _id: { $in: some }, v: 1, c: moment });
  }
}

async function* batchesOf(collection: MongoCollection): AsyncGenerator<readonly ImportedDocument[]> {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const after: string = last;
    const found = await collection
      .find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(batchSize)
      .toArray();
    if (found.length === 0) return;
    yield found.map(({ _id, d }) => ({ id: _id, json: JSON.stringify(decodeContent(d)) }));
    last = found.at(-1)?._id;
  }
}
