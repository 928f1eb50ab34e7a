import type { JsonObject } from '../document-store.ts';
import { isInnerPlace, type Json, type Path } from '../filter/filter.ts';

/**
 * How a document is kept in MongoDB, so that every engine that speaks its protocol takes it: keys without dots, quotes and
 * backslashes, and never empty; an array in an array as an object with its places. None of it makes a document deeper.
 */

const encodedCharacters: Readonly<Record<string, string>> = {
  '%': '%25',
  '.': '%2E',
  '"': '%22',
  '\\': '%5C',
};
const decodedCharacters = new Map(Object.entries(encodedCharacters).map(([from, to]) => [to, from]));

/** The key of what is empty; no other begins like those of places. */
const emptyKey = '%';
const placeKey = '%[';
/** The driver takes an object with it for a value of a type of its own. */
const typeKey = '_bsontype';
const encodedTypeKey = `%${typeKey}`;

export function encodeKey(key: string): string {
  if (key === '') return emptyKey;
  if (key === typeKey) return encodedTypeKey;
  return /[%."\\]/.test(key)
    ? key.replaceAll(/[%."\\]/g, (character) => encodedCharacters[character] ?? character)
    : key;
}

function decodeKey(key: string): string {
  if (key === emptyKey) return '';
  if (key === encodedTypeKey) return typeKey;
  return key.includes('%')
    ? key.replaceAll(/%[0-9A-F]{2}/g, (code) => decodedCharacters.get(code) ?? code)
    : key;
}

/** All forms that a path may have in a document: a place in an array that stands in an array is a key. */
export function formsOfPath(path: Path): readonly string[] {
  return path
    .map((component, at) => {
      const key = encodeKey(component);
      return isInnerPlace(path, at) ? [key, `${placeKey}${component}`] : [key];
    })
    .reduce((before, keys) => before.flatMap((start) => keys.map((key) => `${start}.${key}`)));
}

export function encodeContent(content: JsonObject): JsonObject {
  const encoded: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(content)) encoded[encodeKey(key)] = encode(value, false);
  return encoded;
}

function encode(value: unknown, isElement: boolean): unknown {
  if (Array.isArray(value)) {
    return isElement ? encodeInner(value) : value.map((element) => encode(element, true));
  }
  return isObject(value) ? encodeContent(value) : value;
}

function encodeInner(values: readonly unknown[]): JsonObject {
  if (values.length === 0) return { [placeKey]: 0 };
  return Object.fromEntries(values.map((value, place) => [`${placeKey}${place}`, encode(value, true)]));
}

/** All forms that a value of a filter may have in a document: an array is another thing as an element. */
export function formsOf(value: Json): readonly unknown[] {
  return Array.isArray(value) ? [encode(value, false), encode(value, true)] : [encode(value, false)];
}

export function decodeContent(encoded: JsonObject): JsonObject {
  const content: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(encoded)) content[decodeKey(key)] = decode(value);
  return content;
}

function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode);
  if (!isObject(value)) return value;
  const [first] = Object.keys(value);
  if (first === placeKey) return [];
  return first?.startsWith(placeKey) ? Object.values(value).map(decode) : decodeContent(value);
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;
