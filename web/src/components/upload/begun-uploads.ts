import { limits } from '@portal/contracts';
import { z } from 'zod';
import { begunUploadsKey } from './begun-uploads-key.ts';

const begunUpload = z.object({
  fileId: z.number(),
  uploadId: z.string(),
  /** The tab that began it: after a reload that one alone knows at once that it is interrupted. */
  tab: z.string(),
  /** Who is to get the file once its bytes are complete; none: that is decided later. */
  groupIds: z.array(z.number()),
  notifyEmail: z.boolean(),
  /** Absent of one that the version before began. */
  notifyPush: z.boolean().default(false),
});

/** An upload that somebody began in this browser, and what is to follow. It names nothing but ids. */
export type BegunUpload = z.output<typeof begunUpload>;

const tabKey = 'portal.tab';

/** A name of this tab that a reload keeps. */
export function thisTab(storage: Storage = sessionStorage): string {
  const known = storage.getItem(tabKey);
  if (known !== null) return known;
  const tab = String(crypto.getRandomValues(new Uint32Array(1))[0]);
  storage.setItem(tabKey, tab);
  return tab;
}

/** Milliseconds that a page waits for the one that it replaces in its tab. */
const handover = 1000;
let claimed: Promise<void> | undefined;

/** Keeps the name of this tab to this page for as long as it lives: a tab that is duplicated brings the name of the other, and gets a new one. */
export function claimTab(): Promise<void> {
  claimed ??= claim();
  return claimed;
}

async function claim(): Promise<void> {
  // There are none where the page came over plain HTTP.
  if (!navigator.locks || (await hold(thisTab()))) return;
  sessionStorage.removeItem(tabKey);
  await hold(thisTab());
}

/** @returns whether this page has the name from now on; not where another one keeps it */
function hold(tab: string): Promise<boolean> {
  const signal = AbortSignal.timeout(handover);
  return new Promise((resolve) => {
    const forAsLongAsThePage = () => {
      resolve(true);
      return new Promise<never>(() => undefined);
    };
    // Where locks are refused, nobody can tell.
    navigator.locks
      .request(`portal.tab.${tab}`, { signal }, forAsLongAsThePage)
      .catch(() => resolve(!signal.aborted));
  });
}

/** What the person `owner` began in this browser and has not seen the end of, the oldest first. */
export function begunUploads(owner: string, storage: Storage = localStorage): readonly BegunUpload[] {
  try {
    const parsed = z
      .array(begunUpload)
      .safeParse(JSON.parse(storage.getItem(begunUploadsKey(owner)) ?? '[]'));
    return parsed.success ? parsed.data : [];
  } catch {
    return [];
  }
}

function keep(owner: string, uploads: readonly BegunUpload[], storage: Storage): void {
  if (uploads.length === 0) storage.removeItem(begunUploadsKey(owner));
  // A tenant has no more open at a time.
  else storage.setItem(begunUploadsKey(owner), JSON.stringify(uploads.slice(-limits.maxOpenUploads)));
}

export function rememberUpload(owner: string, upload: BegunUpload, storage: Storage = localStorage): void {
  const others = begunUploads(owner, storage).filter(({ uploadId }) => uploadId !== upload.uploadId);
  keep(owner, [...others, upload], storage);
}

export function forgetUpload(owner: string, uploadId: string, storage: Storage = localStorage): void {
  keep(
    owner,
    begunUploads(owner, storage).filter((one) => one.uploadId !== uploadId),
    storage,
  );
}
