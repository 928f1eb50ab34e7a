import { camelKey, snakeKey } from '@portal/contracts';

/** The names of whatever a test sends or gets, known to a contract or not. */

export const camelNames = (value: unknown): unknown => renamed(value, camelKey);

export const snakeNames = (value: unknown): unknown => renamed(value, snakeKey);

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [rename(name), renamed(item, rename)]),
  );
}
