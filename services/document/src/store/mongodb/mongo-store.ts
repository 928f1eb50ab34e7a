import { createHash } from 'node:crypto';
import { documentLimits } from '@portal/contracts';
import { AppError, fieldError, type Logger } from '@portal/kernel';
import mongoose from 'mongoose';
import { invalidCursor, readCursor, writeCursor } from '../cursor.ts';
import type {
  DatabaseRef,
  DocumentPage,
  DocumentStore,
  ListRequest,
  StoredDocument,
  Usage,
} from '../document-store.ts';
import { pick } from '../fields.ts';
import { type Filter, pathOf } from '../filter/filter.ts';
import { lineOf } from '../written-document.ts';
import { asked, isDuplicate, isNotFound, type MongoCollection, type MongoDocument } from './connection.ts';
import { decodeContent, encodeContent } from './encoding.ts';
import { refuseWrongAnswers } from './ferretdb.ts';
import { importAllOrNothing, importAtOnce } from './import-run.ts';
import { inTurns } from './in-turns.ts';
import { orderOf, placesOf, type Query, queryOf } from './query.ts';
import { createRegistry } from './registry.ts';

const batchSize = 1_000;
const batchBytes = 4 * 1024 * 1024;
/** Documents that one question of a stream goes through, and one whose filter may take its time. */
const windowSize = 5_000;
const filteredWindowSize = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;

/** What is asked, and how long the answer may take. */
interface Question {
  readonly query: Query;
  readonly timed: { readonly maxTimeMS: number };
}

const versionConflict = (): AppError => new AppError('E40034', [], { status: 412 });
/** FerretDB, which looks through documents without an index by itself, is given the time for it: it is for tests alone. */
const filterTimeoutOfFerret = 30_000;

/** Documents in MongoDB, or a server that speaks its protocol, by mongoose's connection. */
export function createMongoStore(options: { url: string; poolSize: number; logger: Logger }): DocumentStore {
  const connection = mongoose.createConnection(options.url, {
    maxPoolSize: options.poolSize,
    serverSelectionTimeoutMS: CONNECT_TIMEOUT_MS,
    // A document is given as it is, or not at all.
    ignoreUndefined: false,
  });
  connection.on('error', (error) => options.logger.warn({ err: error }, 'MongoDB connection lost'));
  // Whoever asks is told; nobody waits for the promise itself.
  connection.asPromise().catch(() => undefined);
  const client = connection.getClient();
  // The tenant is in its name: a name that somebody got hold of leads another tenant nowhere.
  const databaseOf = ({ db, partnerId }: DatabaseRef) => client.db(`p${partnerId}_${db}`);
  const registry = createRegistry(databaseOf, options.logger);

  let engine: Promise<boolean> | undefined;
  /** Whether it is FerretDB, which answers some filters wrongly. */
  const isFerret = async (): Promise<boolean> => {
    engine ??= client
      .db('admin')
      .command({ buildInfo: 1 })
      .then((info) => 'ferretdb' in info || 'ferretdbVersion' in info);
    engine.catch(() => {
      engine = undefined;
    });
    return engine;
  };
  const questionOf = async (filter: Filter | undefined): Promise<Question> => {
    const isSlow = await isFerret();
    if (filter && isSlow) refuseWrongAnswers(filter);
    return {
      query: filter ? queryOf(filter) : {},
      timed: { maxTimeMS: isSlow ? filterTimeoutOfFerret : documentLimits.filterTimeout },
    };
  };

  const store: DocumentStore = {
    async deleteDatabase(database) {
      for (const { name } of await registry.list(database))
        registry.forget({ ...database, collection: name });
      await databaseOf(database).dropDatabase();
    },

    async usage(database) {
      const summaries = await store.collections(database);
      return {
        documents: summaries.reduce((sum, { documents }) => sum + documents, 0),
        bytes: summaries.reduce((sum, { bytes }) => sum + bytes, 0),
      };
    },

    async occupied(database) {
      const { bytes: stored } = await store.usage(database);
      const waiting = await Promise.all(
        (await registry.waiting(database)).map(async (documents) => usageOf(databaseOf(database), documents)),
      );
      return { stored, waiting: waiting.reduce((sum, { bytes }) => sum + bytes, 0) };
    },

    async collections(database) {
      const entries = await registry.list(database);
      return Promise.all(
        entries.map(async ({ documents, name }) => ({
          name,
          ...(await usageOf(databaseOf(database), documents)),
        })),
      );
    },

    hasCollection: async (ref) => registry.has(ref),
    createCollection: async (ref) => registry.create(ref),
    async deleteCollection(ref, whenGone) {
      if (!(await registry.remove(ref, { whenGone }))) throw new AppError('E40401');
    },

    list: async (ref, request) => {
      const question = await questionOf(request.filter);
      return registry.with(
        ref,
        async ({ documents }) =>
          asked(async () => listDocuments(documents, question, request), {
            ...(request.sort?.length && { about: 'sort' }),
            isFiltered: request.filter !== undefined,
          }),
        ({ totalCount }) => totalCount > 0,
      );
    },

    read: async (ref, id) =>
      registry.with(
        ref,
        async ({ documents }) => {
          const found = await documents.findOne({ _id: id });
          return found ? documentOf(found) : undefined;
        },
        (found) => found !== undefined,
      ),

    insert: async (ref, { content, id }) =>
      registry.write(ref, async ({ documents }) => {
        const now = new Date();
        const moment = now.toISOString();
        try {
          await documents.insertOne({ _id: id, v: 1, c: moment, u: moment, d: encodeContent(content) });
        } catch (error) {
          throw isDuplicate(error) ? fieldError('E40029', '_id', 'notUnique') : error;
        }
        return { id, json: JSON.stringify(content), version: 1, createdAt: now, updatedAt: now };
      }),

    replace: async (ref, { content, id }, { ifVersion } = {}) =>
      registry.write(ref, async ({ documents }) => {
        const now = new Date().toISOString();
        const change = { $set: { d: encodeContent(content), u: now }, $inc: { v: 1 } };
        // Two that make the same document at once: the second finds that of the first.
        for (;;) {
          try {
            const { lastErrorObject, value } = await documents.findOneAndUpdate(
              { _id: id, ...(ifVersion === undefined ? {} : { v: ifVersion }) },
              ifVersion === undefined ? { ...change, $setOnInsert: { c: now } } : change,
              { upsert: ifVersion === undefined, returnDocument: 'after', includeResultMetadata: true },
            );
            if (!value) throw versionConflict();
            return { document: documentOf(value), isNew: lastErrorObject?.['updatedExisting'] === false };
          } catch (error) {
            if (!isDuplicate(error)) throw error;
          }
        }
      }),

    delete: async (ref, id, { ifVersion } = {}) =>
      registry.with(
        ref,
        async ({ documents }) => {
          const { deletedCount } = await documents.deleteOne({
            _id: id,
            ...(ifVersion === undefined ? {} : { v: ifVersion }),
          });
          if (deletedCount === 0 && ifVersion !== undefined) {
            await registry.load(ref);
            throw versionConflict();
          }
          return deletedCount === 1;
        },
        (wasThere) => wasThere,
      ),

    async deleteMatching(ref, filter) {
      const question = await questionOf(filter);
      return registry.with(
        ref,
        async ({ documents }) => deleteDocuments(documents, question),
        (count) => count > 0,
      );
    },

    openImport: async (ref, importOptions) => {
      await registry.load(ref);
      return importOptions.allOrNothing
        ? importAllOrNothing(registry, ref, importOptions)
        : importAtOnce(registry, ref, importOptions);
    },

    removeLeftovers: async (database, signal) => registry.removeLeftovers(database, signal),

    async *stream(ref, { between, filter }) {
      const { documents } = await registry.load(ref);
      const question = filter && (await questionOf(filter));
      for await (const batch of streamDocuments(documents, question)) yield batch.map(lineOf).join(between);
    },

    indexes: async (ref) => (await registry.load(ref)).indexes,

    async createIndex(ref, field) {
      const places = placesOf(pathOf(field, 'field'));
      const documents = await registry.addIndex(ref, field);
      try {
        for (const [at, place] of places.entries()) {
          if (place === '_id') continue;
          const name = indexNameOf(field, at);
          await asked(async () => documents.createIndex({ [place]: 1 }, { name }), { about: 'field' });
        }
      } catch (error) {
        // What is refused stays refused. What failed otherwise stays in the list, and can be tried again.
        if (error instanceof AppError && error.code === 'E40002') {
          await dropIndex(documents, field);
          await registry.removeIndex(ref, field);
        }
        throw error;
      }
      if (await registry.useIndex(ref, documents, field)) return;
      // Who deleted it meanwhile found nothing to drop.
      await dropIndex(documents, field);
      throw new AppError('E40401');
    },

    async deleteIndex(ref, field) {
      const { documents } = await registry.load(ref);
      // What fails here stays in the list, and can be deleted again.
      await dropIndex(documents, field);
      return registry.removeIndex(ref, field);
    },

    async ready() {
      try {
        await client.db('admin').command({ ping: 1 });
      } catch (cause) {
        throw new AppError('E50301', [], { cause });
      }
    },
    close: async () => connection.close(),
  };
  return inTurns(withErrors(store));
}

/** Every method says `E50301` where the engine cannot be reached. */
function withErrors(store: DocumentStore): DocumentStore {
  return new Proxy(store, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function') return method;
      return (...values: unknown[]) => {
        const result: unknown = Reflect.apply(method, target, values);
        return result instanceof Promise ? asked(async () => result) : result;
      };
    },
  });
}

/** A name of its own, since MongoDB's would be as long as the path. */
const indexNameOf = (field: string, at: number): string => {
  const name = `field_${createHash('sha256').update(field).digest('hex').slice(0, 32)}`;
  return at === 0 ? name : `${name}_${at}`;
};

async function dropIndex(documents: MongoCollection, field: string): Promise<void> {
  for (const at of placesOf(pathOf(field, 'field')).keys()) {
    try {
      await documents.dropIndex(indexNameOf(field, at));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

function documentOf(found: MongoDocument, fields?: readonly string[]): StoredDocument {
  const content = decodeContent(found.d);
  return {
    id: found._id,
    json: JSON.stringify(fields ? pick(content, fields) : content),
    version: found.v,
    createdAt: new Date(found.c),
    updatedAt: new Date(found.u),
  };
}

async function usageOf(db: mongoose.mongo.Db, documents: MongoCollection): Promise<Usage> {
  const stats = await db.command({ collStats: documents.collectionName });
  const count = await documents.estimatedDocumentCount();
  // Engines that keep pages have some for nothing, too.
  return { documents: count, bytes: count === 0 ? 0 : Number(stats['size']) };
}

async function listDocuments(
  documents: MongoCollection,
  { query, timed }: Question,
  { after, fields, filter, page = 1, perPage, sort = [] }: ListRequest,
): Promise<DocumentPage> {
  const order = orderOf(sort);
  const isById = Object.keys(order)[0] === '_id';
  const content = after === undefined ? undefined : placeIn(readCursor(after, sort), isById);
  const behind =
    typeof content === 'string' ? [{ _id: { [order['_id'] === 1 ? '$gt' : '$lt']: content } }] : [];
  const skipped = typeof content === 'number' ? content : content === undefined ? (page - 1) * perPage : 0;
  const [found, totalCount] = await Promise.all([
    documents
      .find(behind.length > 0 ? { $and: [query, ...behind] } : query, timed)
      .sort(order)
      .skip(skipped)
      .limit(perPage + 1)
      .toArray(),
    filter ? documents.countDocuments(query, timed) : documents.estimatedDocumentCount(timed),
  ]);
  const shown = found.slice(0, perPage);
  const last = found.length > perPage ? shown.at(-1) : undefined;
  return {
    documents: shown.map((document) => documentOf(document, fields)),
    totalCount,
    after: last ? writeCursor(sort, [isById ? last._id : skipped + perPage]) : null,
  };
}

/** Behind which `_id`, or behind how many: a condition on sorted values would be none on the least element of an array. */
function placeIn(content: readonly unknown[], isById: boolean): string | number {
  const [place, ...more] = content;
  if (more.length > 0) throw invalidCursor();
  if (isById && typeof place === 'string') return place;
  if (!isById && typeof place === 'number' && Number.isSafeInteger(place) && place > 0) return place;
  throw invalidCursor();
}

async function deleteDocuments(documents: MongoCollection, { query, timed }: Question): Promise<number> {
  let count = 0;
  for (let last: string | undefined = ''; last !== undefined; ) {
    const found: MongoDocument[] = await documents
      .find({ $and: [query, { _id: { $gt: last } }] }, { ...timed, projection: { _id: 1 } })
      .sort({ _id: 1 })
      .limit(batchSize)
      .toArray();
    if (found.length === 0) return count;
    const ids = found.map(({ _id }) => _id);
    // What was changed meanwhile stays, unless it still matches.
    count += (await documents.deleteMany({ $and: [{ _id: { $in: ids } }, query] })).deletedCount;
    last = ids.at(-1);
  }
  return count;
}

/** Window after window, each a question of its own: a reader who takes hours keeps no cursor open. */
async function* streamDocuments(
  documents: MongoCollection,
  question: Question | undefined,
): AsyncGenerator<readonly StoredDocument[]> {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const after: string = last;
    const end: string | undefined = await asked(async () =>
      windowEnd(documents, after, question ? filteredWindowSize : windowSize),
    );
    const behind = end === undefined ? { $gt: after } : { $gt: after, $lte: end };
    const cursor = documents
      .find(question ? { $and: [{ _id: behind }, question.query] } : { _id: behind }, question?.timed)
      .sort({ _id: 1 });
    let batch: StoredDocument[] = [];
    let bytes = 0;
    for (;;) {
      const found = await asked(async () => cursor.next());
      if (!found) break;
      const document = documentOf(found);
      batch.push(document);
      bytes += document.json.length;
      if (batch.length < batchSize && bytes < batchBytes) continue;
      yield batch;
      batch = [];
      bytes = 0;
    }
    if (batch.length > 0) yield batch;
    last = end;
  }
}

/** The `_id` that a window behind `after` ends with; undefined where nothing is behind it. */
async function windowEnd(
  documents: MongoCollection,
  after: string,
  size: number,
): Promise<string | undefined> {
  const [end] = await documents
    .find({ _id: { $gt: after } }, { projection: { _id: 1 } })
    .sort({ _id: 1 })
    .skip(size - 1)
    .limit(1)
    .toArray();
  return end?._id;
}
