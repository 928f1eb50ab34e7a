import { AppError, fieldError } from '@portal/kernel';
import mongoose from 'mongoose';
import { invalid, tookTooLong } from '../filter/filter.ts';

export const { mongo } = mongoose;
export type Db = mongoose.mongo.Db;
export type MongoCollection = mongoose.mongo.Collection<MongoDocument>;

/** A document as MongoDB keeps it. */
export interface MongoDocument {
  readonly _id: string;
  readonly v: number;
  /** When it was made and last replaced, with milliseconds. */
  readonly c: string;
  readonly u: string;
  /** Its content, encoded. */
  readonly d: Readonly<Record<string, unknown>>;
}

const DUPLICATE_KEY = 11_000;
/** A collection, and an index. */
const NOT_FOUND = new Set([26, 27]);
const MAX_TIME_EXPIRED = 50;
/** Of a sort: "parallel arrays". */
const BAD_VALUE = 2;
/** `a.0` is a place in an array, and a key in one of its elements: no sort or index can have both. */
const AMBIGUOUS_FIELD = 16_746;
const INVALID_REGULAR_EXPRESSION = new Set([51_091, 51_108]);

export const isDuplicate = (error: unknown): boolean =>
  error instanceof mongo.MongoServerError && error.code === DUPLICATE_KEY;

export const isNotFound = (error: unknown): boolean =>
  error instanceof mongo.MongoServerError && NOT_FOUND.has(Number(error.code));

/**
 * Runs what asks the engine; where it cannot be reached, or it took too long, the product says so. `about` is the field that the
 * engine refuses where it finds no order of documents by it: several arrays, or a number that may be a place and a key.
 */
export async function asked<T>(
  work: () => Promise<T>,
  { about = '', isFiltered = true }: { about?: 'sort' | 'field' | ''; isFiltered?: boolean } = {},
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (
      error instanceof mongo.MongoNetworkError ||
      error instanceof mongo.MongoServerSelectionError ||
      error instanceof mongo.MongoNotConnectedError ||
      error instanceof mongo.MongoTopologyClosedError ||
      error instanceof mongoose.Error.MongooseServerSelectionError
    ) {
      throw new AppError('E50301', [], { cause: error });
    }
    if (error instanceof mongo.MongoServerError) {
      if (error.code === MAX_TIME_EXPIRED) throw tookTooLong(isFiltered);
      if (INVALID_REGULAR_EXPRESSION.has(Number(error.code))) {
        throw invalid();
      }
      if (codesOf(error).includes(AMBIGUOUS_FIELD) || (about === 'sort' && error.code === BAD_VALUE)) {
        throw fieldError('E40002', about, 'invalidValue');
      }
    }
    throw error;
  }
}

/** What a write of several documents is refused for has a code for each of them; that of the first alone is its own. */
const codesOf = (error: { readonly code?: unknown }): readonly unknown[] =>
  error instanceof mongo.MongoBulkWriteError ? errorsOf(error).map(({ code }) => code) : [error.code];

/** Of each document that a write of several was refused for. */
export const errorsOf = ({ writeErrors }: mongoose.mongo.MongoBulkWriteError) => [writeErrors].flat();
