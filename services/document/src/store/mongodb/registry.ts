import { documentLimits } from '@portal/contracts';
import { AppError, fieldError, type Logger, newId } from '@portal/kernel';
import type { CollectionRef, DatabaseRef } from '../document-store.ts';
import { type Db, isDuplicate, type MongoCollection, type MongoDocument } from './connection.ts';

/**
 * Which collections a database has. MongoDB makes a collection for whoever writes to it; here one is there that somebody made.
 * Each has a collection of MongoDB with a name of its own, so that what a process writes to one that has just gone is not in the
 * next of that name.
 */
interface RegistryEntry {
  /** The name of the collection; that of an import that waits begins with `~`. */
  readonly _id: string;
  readonly place: string;
  /** Each has its place here before it is built. */
  readonly indexes: readonly string[];
  /** Those of them that are not in use yet. */
  readonly building?: readonly string[];
  readonly madeAt: Date;
  /** Of an import that waits: when its process said last that it is there. */
  readonly heardAt?: Date;
}

export interface KnownCollection {
  readonly ref: CollectionRef;
  readonly documents: MongoCollection;
  /** Their fields, also of those that are built, or were left half built: these can be made again, or deleted. */
  readonly indexes: readonly string[];
}

export type Registry = ReturnType<typeof createRegistry>;

/** How long a process takes a collection for there without asking. */
const knownForMs = 1_000;
const mostKnown = 1_000;
const waitingPrefix = '~';
/** An import that waits has no process any more when it has not said so for so long; those of the version before say nothing. */
const longestSilenceMs = 10 * 60_000;
const longestSilentMs = 24 * 3_600_000;

/** How collections of MongoDB with documents are named, with a UUIDv7 behind it, which says when one was made. */
const placePrefix = 'documents_';
/** One has no entry while it is made, and none after its name is gone; longer ago only the latter is so. */
const longestMakingMs = 3_600_000;
const isOld = (place: string): boolean =>
  Number.parseInt(place.slice(placePrefix.length).slice(0, 12), 16) + longestMakingMs < Date.now();

const isWaiting = ({ _id }: RegistryEntry): boolean => _id.startsWith(waitingPrefix);
const isLeftOver = ({ heardAt, madeAt }: RegistryEntry): boolean =>
  (heardAt ? heardAt.getTime() + longestSilenceMs : madeAt.getTime() + longestSilentMs) < Date.now();

const isSame = (one: KnownCollection, other: KnownCollection): boolean =>
  one.documents.collectionName === other.documents.collectionName;

export function createRegistry(databaseOf: (database: DatabaseRef) => Db, logger: Logger) {
  const known = new Map<string, { collection: KnownCollection; until: number }>();
  const nameOf = ({ collection, db, partnerId }: CollectionRef) => `${partnerId}/${db}/${collection}`;
  const entriesOf = (database: DatabaseRef) => databaseOf(database).collection<RegistryEntry>('collections');
  const collectionAt = (database: DatabaseRef, place: string): MongoCollection =>
    databaseOf(database).collection<MongoDocument>(place);

  const entryOf = async (ref: CollectionRef): Promise<RegistryEntry> => {
    const entry = await entriesOf(ref).findOne({ _id: ref.collection });
    if (!entry) throw new AppError('E40401');
    return entry;
  };

  const load = async (ref: CollectionRef): Promise<KnownCollection> => {
    const name = nameOf(ref);
    const found = await entryOf(ref).finally(() => known.delete(name));
    const collection = { ref, documents: collectionAt(ref, found.place), indexes: found.indexes };
    known.set(name, { collection, until: performance.now() + knownForMs });
    const [oldest] = known.keys();
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
    return collection;
  };

  const add = async (
    database: DatabaseRef,
    name: string,
    more: Pick<RegistryEntry, 'heardAt'> = {},
  ): Promise<MongoCollection> => {
    const place = `${placePrefix}${newId().replaceAll('-', '')}`;
    await databaseOf(database).createCollection(place);
    await entriesOf(database).insertOne({ _id: name, place, indexes: [], madeAt: new Date(), ...more });
    return collectionAt(database, place);
  };

  /**
   * Nobody finds it any more, then its documents go; those that stay are for `removeLeftovers`. Whether it was there, at `place`
   * where that is told.
   */
  const remove = async (
    ref: CollectionRef,
    { place, whenGone }: { place?: string; whenGone?: (() => Promise<void>) | undefined } = {},
  ): Promise<boolean> => {
    const entry = await entriesOf(ref).findOneAndDelete({
      _id: ref.collection,
      ...(place !== undefined && { place }),
    });
    known.delete(nameOf(ref));
    if (!entry) return false;
    try {
      await whenGone?.();
    } finally {
      await collectionAt(ref, entry.place)
        .drop()
        .catch((error: unknown) => {
          logger.warn({ err: error, partnerId: ref.partnerId }, 'Documents that were deleted stay for now');
        });
    }
    return true;
  };

  const namesOf = async (database: DatabaseRef): Promise<readonly string[]> =>
    (await entriesOf(database).find().toArray()).filter((entry) => !isWaiting(entry)).map(({ _id }) => _id);

  return {
    load,
    remove,
    forget: (ref: CollectionRef) => known.delete(nameOf(ref)),

    /** Runs `work`; where it finds nothing, it is made sure that the collection is still there. Throws `E40401`. */
    async with<T>(
      ref: CollectionRef,
      work: (collection: KnownCollection) => Promise<T>,
      hasFound: (result: T) => boolean = () => true,
    ): Promise<T> {
      const entry = known.get(nameOf(ref));
      if (!entry || entry.until < performance.now()) return work(await load(ref));
      const result = await work(entry.collection);
      if (hasFound(result)) return result;
      const now = await load(ref);
      return isSame(now, entry.collection) ? result : work(now);
    },

    /**
     * Runs `work`, which writes documents. Nobody would find them in a collection that has gone, where another has its name by now: so it
     * is made sure at the same time that it is still there. Throws `E40401`.
     */
    async write<T>(ref: CollectionRef, work: (collection: KnownCollection) => Promise<T>): Promise<T> {
      const entry = known.get(nameOf(ref));
      if (!entry || entry.until < performance.now()) return work(await load(ref));
      const [written, now] = await Promise.allSettled([work(entry.collection), load(ref)]);
      if (now.status === 'rejected') throw now.reason;
      if (!isSame(now.value, entry.collection)) return work(now.value);
      if (written.status === 'rejected') throw written.reason;
      return written.value;
    },

    has: async (ref: CollectionRef): Promise<boolean> =>
      (await entriesOf(ref).findOne({ _id: ref.collection })) !== null,

    async list(
      database: DatabaseRef,
    ): Promise<readonly { readonly name: string; readonly documents: MongoCollection }[]> {
      const entries = await entriesOf(database).find().toArray();
      return entries
        .filter((entry) => !isWaiting(entry))
        .map(({ _id, place }) => ({ name: _id, documents: collectionAt(database, place) }))
        .toSorted((one, other) => (one.name < other.name ? -1 : 1));
    },

    async create(ref: CollectionRef): Promise<void> {
      const names = await namesOf(ref);
      if (names.includes(ref.collection)) throw fieldError('E40029', 'name', 'notUnique');
      if (names.length >= documentLimits.maxCollections) throw new AppError('E40016');
      const { collectionName: place } = await add(ref, ref.collection).catch((error: unknown) => {
        throw isDuplicate(error) ? fieldError('E40029', 'name', 'notUnique') : error;
      });
      // Others that were made at once were not there to be counted.
      if ((await namesOf(ref)).length <= documentLimits.maxCollections) return;
      // Somebody may have deleted it meanwhile, and have made another of that name.
      await remove(ref, { place });
      throw new AppError('E40016');
    },

    /** A collection for an import that waits. */
    async addWaiting(database: DatabaseRef): Promise<{ name: string; documents: MongoCollection }> {
      const name = `${waitingPrefix}${newId()}`;
      return { name, documents: await add(database, name, { heardAt: new Date() }) };
    },

    /** The process of an import that waits is there. Whether the import is. */
    async tellWaiting(database: DatabaseRef, name: string): Promise<boolean> {
      const { matchedCount } = await entriesOf(database).updateOne(
        { _id: name },
        { $set: { heardAt: new Date() } },
      );
      return matchedCount === 1;
    },

    /** The collections of imports that wait and whose process is there. */
    async waiting(database: DatabaseRef): Promise<readonly MongoCollection[]> {
      const entries = await entriesOf(database).find().toArray();
      return entries
        .filter((entry) => isWaiting(entry) && !isLeftOver(entry))
        .map(({ place }) => collectionAt(database, place));
    },

    /**
     * What imports have left whose process ended: the documents go first, so that an end in between leaves no documents. And those
     * of collections that have no entry any more.
     */
    async removeLeftovers(database: DatabaseRef, signal: AbortSignal): Promise<void> {
      const collections = await databaseOf(database).listCollections({}, { nameOnly: true }).toArray();
      const entries = await entriesOf(database).find().toArray();
      for (const { _id, place } of entries.filter((entry) => isWaiting(entry) && isLeftOver(entry))) {
        if (signal.aborted) return;
        await collectionAt(database, place).drop();
        await entriesOf(database).deleteOne({ _id });
      }
      const named = new Set(entries.map(({ place }) => place));
      for (const { name } of collections) {
        if (signal.aborted) return;
        if (!name.startsWith(placePrefix) || named.has(name) || !isOld(name)) continue;
        await collectionAt(database, name).drop();
      }
    },

    /**
     * Gives an index its place before it is built, which takes its time and does not keep others from making theirs. Where a build
     * ended half-way, the next attempt begins again. Throws `E40029` and `E40016`.
     */
    async addIndex(ref: CollectionRef, field: string): Promise<MongoCollection> {
      const { matchedCount } = await entriesOf(ref).updateOne(
        {
          _id: ref.collection,
          indexes: { $ne: field },
          [`indexes.${documentLimits.maxIndexes - 1}`]: { $exists: false },
        },
        { $push: { indexes: field, building: field } },
      );
      const { building = [], indexes, place } = await entryOf(ref);
      if (matchedCount === 0 && !building.includes(field)) {
        throw indexes.includes(field) ? fieldError('E40029', 'field', 'notUnique') : new AppError('E40016');
      }
      return collectionAt(ref, place);
    },

    /** An index is built, and in use from now on. Whether it still has its place. */
    async useIndex(ref: CollectionRef, documents: MongoCollection, field: string): Promise<boolean> {
      const { matchedCount } = await entriesOf(ref).updateOne(
        { _id: ref.collection, place: documents.collectionName, indexes: field },
        { $pull: { building: field } },
      );
      known.delete(nameOf(ref));
      return matchedCount === 1;
    },

    /** Whether it was there. */
    async removeIndex(ref: CollectionRef, field: string): Promise<boolean> {
      const { modifiedCount } = await entriesOf(ref).updateOne(
        { _id: ref.collection },
        { $pull: { indexes: field, building: field } },
      );
      known.delete(nameOf(ref));
      return modifiedCount === 1;
    },
  };
}
