/** snake_case on the wire, camelCase in the code: how one name becomes the other. Values of a contract: see `wire.ts`. */

export function camelKey(key: string): string {
  return key.replace(/_([a-z0-9])/g, (_, next: string) => next.toUpperCase());
}

export function snakeKey(key: string): string {
  return key.replace(/[A-Z]/g, (upper) => `_${upper.toLowerCase()}`);
}
