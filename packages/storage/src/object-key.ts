import { StorageError } from './storage-error.ts';

const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;
const maxKeyLength = 1024;

/** Whether a key is of plain names: no empty, absolute or climbing paths, no NUL, nothing that needs escaping. */
export function isObjectKey(key: string): boolean {
  return key.length <= maxKeyLength && key.split('/').every((part) => segment.test(part));
}

/** In the place of a tenant: whose the applications are that the operator publishes. */
export const operator = 0;

/** The key of an object of a tenant, whose bytes count as the tenant's transfer. */
export function tenantKey(partnerId: number, ...segments: readonly (string | number)[]): string {
  return ['partners', partnerId, ...segments].join('/');
}

/** Whose object it is; undefined for what is no tenant's. */
export function tenantOf(key: string): number | undefined {
  const [, partnerId] = /^partners\/(\d+)\//.exec(key) ?? [];
  return partnerId === undefined ? undefined : Number(partnerId);
}

/** Refuses keys that are none. */
export function assertObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new StorageError('invalid-key', JSON.stringify(key.slice(0, maxKeyLength)));
}
