import { newTraceId } from '@portal/api-client';
import { z } from 'zod';
import { fingerprintOf } from './fingerprint.ts';

const chosenFile = z.object({
  fileName: z.string(),
  /** Bytes. */
  fileSize: z.number(),
  fingerprint: z.string().optional(),
});

const schema = chosenFile.extend({
  fileId: z.number(),
  uploadId: z.string(),
  /** Bytes. */
  partSize: z.number(),
  /** What the bytes become: the version that is delivered now, or the one that is reserved. */
  slot: z.enum(['current', 'reserved']),
  /** Of the trace that registering, sending and completing it share. */
  traceId: z.string().default(newTraceId),
  /** The file that is to be uploaded after this one. */
  next: chosenFile.optional(),
});

export type ChosenFile = z.output<typeof chosenFile>;

/** An upload that was begun and is not complete. */
export type PendingUpload = z.output<typeof schema>;

/** What names a file to the service, and lets it be known again. */
export async function chosenFileOf(file: File): Promise<ChosenFile> {
  const fingerprint = await fingerprintOf(file);
  return { fileName: file.name, fileSize: file.size, ...(fingerprint !== undefined && { fingerprint }) };
}

/** As far as a name, a size and, where there is one, a fingerprint can tell. */
export async function isSameFile(
  file: File,
  { fileName, fileSize, fingerprint }: ChosenFile,
): Promise<boolean> {
  if (file.name !== fileName || file.size !== fileSize) return false;
  if (fingerprint === undefined) return true;
  const found = await fingerprintOf(file);
  return found === undefined || found === fingerprint;
}

export interface PendingStore {
  get(): PendingUpload | undefined;
  set(upload: PendingUpload): void;
  clear(): void;
}

/** Kept with the state of the flow in the tab, so that a reload in the middle of an upload can go on with it. */
export function createPendingStore(
  flow: string,
  id: string,
  storage: Storage = sessionStorage,
): PendingStore {
  const key = `portal.flow.${flow}.upload${id === '' ? '' : `.${id}`}`;
  return {
    get() {
      try {
        const parsed = schema.safeParse(JSON.parse(storage.getItem(key) ?? 'null'));
        return parsed.success ? parsed.data : undefined;
      } catch {
        return undefined;
      }
    },
    set: (upload) => storage.setItem(key, JSON.stringify(upload)),
    clear: () => storage.removeItem(key),
  };
}
