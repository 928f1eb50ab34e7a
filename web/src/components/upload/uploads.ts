import { createContext, use, useSyncExternalStore } from 'react';
import type { UploadStore } from './upload-store.ts';

/** The uploads of a tab, which go on from page to page. Their code comes with the first one. */
export interface Uploads {
  /** Once there is one. */
  store(): UploadStore | undefined;
  subscribe(listener: () => void): () => void;
  open(): Promise<UploadStore>;
  /** Keeps files that were dropped for the page that takes them. */
  hand(files: readonly File[]): void;
  /** Those files, once. */
  take(): readonly File[];
}

export function createUploads(): Uploads {
  const listeners = new Set<() => void>();
  let store: UploadStore | undefined;
  let handed: readonly File[] = [];
  return {
    store: () => store,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async open() {
      const [{ createUploadStore }, { claimTab }] = await Promise.all([
        import('./upload-store.ts'),
        import('./begun-uploads.ts'),
      ]);
      await claimTab();
      store ??= createUploadStore();
      for (const listener of listeners) listener();
      return store;
    },
    hand(files) {
      handed = files;
    },
    take() {
      const taken = handed;
      handed = [];
      return taken;
    },
  };
}

export const UploadsContext = createContext<Uploads | undefined>(undefined);

export function useUploads(): Uploads {
  const uploads = use(UploadsContext);
  if (!uploads) throw new Error('UploadsContext is missing');
  return uploads;
}

/** The store, once there is one. */
export function useUploadStore(): UploadStore | undefined {
  const { store, subscribe } = useUploads();
  return useSyncExternalStore(subscribe, store);
}
