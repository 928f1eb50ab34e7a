import { StorageError } from './storage-error.ts';

const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;
const maxKeyLength = 1024;

/** Whether a key is of plain names: no empty, absolute or climbing paths, no NUL, nothing that needs escaping. */
export function isObjectKey(key: string): boolean {
  return key.length <= maxKeyLength && key.split('/').every((part) => segment.test(part));
}

/** Refuses keys that are none. */
export function assertObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new StorageError('invalid-key', JSON.stringify(key.slice(0, maxKeyLength)));
}
