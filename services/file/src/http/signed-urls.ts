import type { Clock } from '@portal/kernel';
import type { ObjectStorage } from '@portal/storage';
import { urlsEnd } from '../use-cases/open-upload.ts';

/** Addresses of stored objects for whoever reads an answer; they are good for an hour. */
export interface SignedUrls {
  icon(key: string | null): Promise<string | null>;
  /** Saved by a browser under the file's name. */
  file(key: string, fileName: string): Promise<string>;
}

export function createSignedUrls({ clock, storage }: { clock: Clock; storage: ObjectStorage }): SignedUrls {
  const expiresAt = () => urlsEnd(clock.now());
  return {
    icon: async (key) =>
      key === null ? null : storage.presignGet(key, { expiresAt: expiresAt(), contentType: 'image/png' }),
    file: async (key, fileName) => storage.presignGet(key, { expiresAt: expiresAt(), fileName }),
  };
}
