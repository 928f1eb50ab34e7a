import type { Json, JsonObject } from './json.ts';

/** A document as the service answers it. */
export interface StoredDocument extends JsonObject {
  readonly _id: string;
  readonly _created_at: string;
  readonly _updated_at: string;
  readonly _version: number;
}

/** What the service keeps of a document beside what somebody has written. */
export const keptFields = ['_created_at', '_updated_at', '_version'] as const;

const isKept = (key: string): boolean => keptFields.some((kept) => kept === key);

/** What somebody has written of a document, with its id first. */
export function writtenOf({ _id, ...rest }: StoredDocument): JsonObject {
  return fromEntries([['_id', _id], ...Object.entries(rest).filter(([key]) => !isKept(key))]);
}

/** Of keys that come from outside: `__proto__` is a key as any other. */
export function fromEntries(entries: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(entries);
}
