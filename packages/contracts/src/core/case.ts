/**
 * snake_case on the wire, camelCase in the code. These two functions are the only place where one becomes the other.
 * Values are untouched; keys of plain objects and of objects in arrays are converted at every depth.
 */

const camelCache = new Map<string, string>();
const snakeCache = new Map<string, string>();

/** Keys of a contract are few; a caller that sends endless new ones must not grow the cache without bound. */
const cacheLimit = 5000;

function cached(cache: Map<string, string>, key: string, convert: (key: string) => string): string {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const converted = convert(key);
  if (cache.size < cacheLimit) cache.set(key, converted);
  return converted;
}

export function camelKey(key: string): string {
  return cached(camelCache, key, (text) =>
    text.replace(/_+([a-z0-9])/g, (_, next: string) => next.toUpperCase()),
  );
}

export function snakeKey(key: string): string {
  return cached(snakeCache, key, (text) => text.replace(/[A-Z]/g, (upper) => `_${upper.toLowerCase()}`));
}

/** `errors[0].loginUserId` → `errors[0].login_user_id`. */
export function snakePath(path: string): string {
  return path.split('.').map(snakeKey).join('.');
}

function convertKeys(value: unknown, convert: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => convertKeys(item, convert));
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) result[convert(key)] = convertKeys(item, convert);
  return result;
}

export function toCamel(value: unknown): unknown {
  return convertKeys(value, camelKey);
}

export function toSnake(value: unknown): unknown {
  return convertKeys(value, snakeKey);
}
