/**
 * Where the documents of tenants are. Two adapters fulfil it, PostgreSQL and MongoDB, and one contract suite holds both to the
 * same answers. It knows nothing of contracts, keys and quotas.
 *
 * Callers check names, documents and bounds first: collection names, `_id`s, keys, sizes, depths and values are as documents.md
 * says. The store itself checks what a filter, a sort, a projection and a cursor may be, and throws, as `AppError`:
 * - `E40401`: there is no such collection (of a document that is not there the methods answer `undefined` or `false`);
 * - `E40029`: a collection, a document (field `_id`) or an index (field `field`) of that name is there already;
 * - `E40016`: a 101st collection, an eleventh index;
 * - `E40034` with status 412: a document has another version than `ifVersion`, or none;
 * - `E40002` on `filter`, `sort`, `fields` or `after`: what is not one; on `filter` also what took over 2 s, on
 *   `sort` where there is no filter.
 */
export interface DocumentStore {
  /**
   * Takes the database with all that is in it away; one that is not there is fine. It exists as soon as it has a collection. Where
   * `signal` says to stop, some may be left for the next time.
   */
  deleteDatabase(database: DatabaseRef, signal?: AbortSignal): Promise<void>;
  /** Documents, and bytes of them as JSON in UTF-8, over all collections. */
  usage(database: DatabaseRef): Promise<Usage>;
  /** Its bytes, and those of imports that wait until they are whole and whose process is there. */
  occupied(database: DatabaseRef): Promise<Occupied>;

  /** By name. */
  collections(database: DatabaseRef): Promise<readonly CollectionSummary[]>;
  hasCollection(collection: CollectionRef): Promise<boolean>;
  createCollection(collection: CollectionRef): Promise<void>;
  /**
   * `whenGone` runs once nobody finds it any more. What it held goes then, as far as that takes no longer than a call may; the rest
   * is for `removeLeftovers`.
   */
  deleteCollection(collection: CollectionRef, whenGone?: () => Promise<void>): Promise<void>;

  list(collection: CollectionRef, request: ListRequest): Promise<DocumentPage>;
  read(collection: CollectionRef, id: string): Promise<StoredDocument | undefined>;
  /** Stores one that must not be there. */
  insert(collection: CollectionRef, document: NewDocument): Promise<StoredDocument>;
  /** Replaces a document whole, or makes it where it is not and `ifVersion` is absent. */
  replace(
    collection: CollectionRef,
    document: NewDocument,
    options?: { ifVersion?: number },
  ): Promise<{ document: StoredDocument; isNew: boolean }>;
  /** Whether it was there. */
  delete(collection: CollectionRef, id: string, options?: { ifVersion?: number }): Promise<boolean>;
  /** How many went. */
  deleteMatching(collection: CollectionRef, filter: Filter): Promise<number>;

  openImport(collection: CollectionRef, options: ImportOptions): Promise<ImportRun>;
  /** Deletes what imports that waited have left whose process ended, and deletions that broke off, piece by piece, until nothing is left or `signal` says to stop. */
  removeLeftovers(database: DatabaseRef, signal: AbortSignal): Promise<void>;
  /**
   * All documents that match, by `_id`, as `lineOf` writes them: texts that memory holds easily, or their bytes, each of at least one document, with
   * `between` between its documents. What is written meanwhile may be among them or not. A collection that is not there, and what
   * is wrong with the filter, rejects before the first text.
   */
  stream(
    collection: CollectionRef,
    options: { filter?: Filter; between: ',\n' | '\n' },
  ): AsyncIterable<Buffer | string>;

  /** The fields with an index, in the order of their making; also with one that is being made, or was left half made. */
  indexes(collection: CollectionRef): Promise<readonly string[]>;
  /** Resolves once the index is in use; rejects with `E40401` where it is deleted meanwhile. `field` is a dotted path. */
  createIndex(collection: CollectionRef, field: string): Promise<void>;
  /** Whether it was there. */
  deleteIndex(collection: CollectionRef, field: string): Promise<boolean>;

  /** Resolves when the engine answers; else rejects with `E50301`. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** The database of a tenant: its name, and whose it is, to which row-level security holds every statement. */
export interface DatabaseRef {
  readonly partnerId: number;
  /** `d`, base 36: see documents.md. */
  readonly db: string;
}

export interface CollectionRef extends DatabaseRef {
  readonly collection: string;
}

/** A JSON object of a tenant, with its own names. */
export type JsonObject = Readonly<Record<string, unknown>>;

export interface NewDocument {
  readonly id: string;
  /** Without `_id`, `_created_at`, `_updated_at` and `_version`. */
  readonly content: JsonObject;
}

/** A document of an import: of many, texts are held more easily than objects. */
export interface ImportedDocument {
  readonly id: string;
  /** As JSON text, without `_id`, `_created_at`, `_updated_at` and `_version`. */
  readonly json: string;
}

export interface StoredDocument {
  readonly id: string;
  /** As JSON text, an object in the order of its keys, without `_id` and the three of the store. */
  readonly json: string;
  /** 1 for a new one, one more with each replacement. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface Usage {
  readonly documents: number;
  readonly bytes: number;
}

export interface Occupied {
  readonly stored: number;
  readonly waiting: number;
}

export interface CollectionSummary extends Usage {
  readonly name: string;
}

/** What `parseFilter` makes of the text of a filter. */
export type { Filter } from './filter/filter.ts';

import type { Filter } from './filter/filter.ts';
import type { Sort } from './sort.ts';

export interface ListRequest {
  readonly filter?: Filter;
  /** Of `parseSort`; by `_id` where absent, and always in the end. */
  readonly sort?: Sort;
  /** Of `parseFields`: these paths alone are in `json`. */
  readonly fields?: readonly string[];
  readonly perPage: number;
  /** From 1; passed over where there is a cursor. */
  readonly page?: number;
  /** The cursor of the page before. */
  readonly after?: string;
}

export interface DocumentPage {
  readonly documents: readonly StoredDocument[];
  /** All that match, not only after the cursor. */
  readonly totalCount: number;
  /** The cursor of the next page; null at the end. */
  readonly after: string | null;
}

export interface ImportOptions {
  /** `insert` refuses an `_id` that is there, `replace` one that is not, `upsert` none. */
  readonly mode: 'insert' | 'replace' | 'upsert';
  /** Documents wait until `finish`, and none is stored where `discard` is called instead. */
  readonly allOrNothing: boolean;
}

/**
 * One import. Each batch is written as a whole; 1,000 documents or 1 MiB are a good size. Several may be written at once, unless they
 * have an `_id` in common. Where one comes twice, `insert` refuses the second, and the others take the last.
 */
export interface ImportRun {
  /** Which of them were refused, by their place in the batch; the others are stored, or wait with `allOrNothing`. */
  write(documents: readonly ImportedDocument[]): Promise<readonly ImportFailure[]>;
  /** How many documents were stored. With `allOrNothing` none where other writers came in between: `E40034`. */
  finish(): Promise<number>;
  /** Forgets what waits. Call one of both, whatever happens. */
  discard(): Promise<void>;
}

export interface ImportFailure {
  /** In the batch, from 0. */
  readonly index: number;
  readonly reason: 'taken' | 'unknown';
}
