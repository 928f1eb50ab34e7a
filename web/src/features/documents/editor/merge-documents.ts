import { isObject, isSame, type Json, type JsonObject } from './json.ts';
import { fromEntries } from './stored-document.ts';

export interface Merge {
  /** Both changes in one; where both changed the same, it is as `mine` has it. */
  readonly merged: JsonObject;
  /** The paths that both changed, and not alike. */
  readonly both: readonly string[];
}

/** Brings together what two people have made of the same document; objects within it field by field. */
export function mergeDocuments(base: JsonObject, mine: JsonObject, theirs: JsonObject): Merge {
  const both: string[] = [];
  const merged = mergeObjects(base, mine, theirs, '', both);
  return { merged, both };
}

function mergeObjects(
  base: JsonObject,
  mine: JsonObject,
  theirs: JsonObject,
  path: string,
  both: string[],
): JsonObject {
  const keys = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])];
  const entries = keys.flatMap((key): [string, Json][] => {
    const [was, left, right] = [own(base, key), own(mine, key), own(theirs, key)];
    const value = mergeValues(was, left, right, path === '' ? key : `${path}.${key}`, both);
    return value === undefined ? [] : [[key, value]];
  });
  return fromEntries(entries);
}

const own = (of: JsonObject, key: string): Json | undefined => (Object.hasOwn(of, key) ? of[key] : undefined);

/** Undefined stands for a field that is not there. */
function mergeValues(
  was: Json | undefined,
  mine: Json | undefined,
  theirs: Json | undefined,
  path: string,
  both: string[],
): Json | undefined {
  if (isSame(mine, theirs) || isSame(was, theirs)) return mine;
  if (isSame(was, mine)) return theirs;
  if (isObject(mine) && isObject(theirs))
    return mergeObjects(isObject(was) ? was : {}, mine, theirs, path, both);
  both.push(path);
  return mine;
}
