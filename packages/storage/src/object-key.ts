import { StorageError } from './storage-error.ts';

const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;
const maxKeyLength = 1024;

/** Refuses keys that are not plain names: no empty, absolute or climbing paths, no NUL, nothing that needs escaping. */
export function assertObjectKey(key: string): void {
  if (key.length > maxKeyLength || !key.split('/').every((part) => segment.test(part))) {
    throw new StorageError('invalid-key', JSON.stringify(key.slice(0, maxKeyLength)));
  }
}
