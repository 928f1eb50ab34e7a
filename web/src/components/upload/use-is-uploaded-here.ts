import { useSyncExternalStore } from 'react';
import type { UploadItem } from './upload-store.ts';
import { useUploadStore } from './uploads.ts';

const none: readonly UploadItem[] = [];
const never = () => () => undefined;

/** The uploads of this tab, in the order in which they were begun. */
export function useUploadItems(): readonly UploadItem[] {
  const store = useUploadStore();
  return useSyncExternalStore(store?.subscribe ?? never, () => store?.items() ?? none);
}

/** Whether bytes of a file are being sent from this tab: then there is nothing to go on with elsewhere. */
export function useIsUploadedHere(): (file: { id: number }) => boolean {
  const items = useUploadItems();
  return ({ id }) => items.some(({ stage, task }) => task.fileId === id && stage !== 'done');
}
