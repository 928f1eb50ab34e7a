import type { EventsOut, noticeRoutes } from '@portal/contracts';
import type { Scope } from '@portal/database';
import type { Store } from '@portal/service-kit';
import type { MailDb } from '../data/db.ts';
import { newestNotice, noticesAfter } from '../data/notice-views.ts';
import type { NoticeWatch } from '../data/notice-watch.ts';
import type { Reader } from '../domain/audience.ts';

const batch = 100;

/**
 * The notices of a person as they come; after the one of id `lastId` where it is given, else from now on. They are read when
 * they can be sent: a slow reader costs one number.
 */
export async function followNotices(
  { store, watch }: { readonly store: Store<MailDb>; readonly watch: NoticeWatch },
  {
    lastId,
    reader,
    scope,
  }: { readonly lastId: number | undefined; readonly reader: Reader; readonly scope: Scope },
): Promise<EventsOut<noticeRoutes.Notice>> {
  const newest = await store.read(scope, (db) => newestNotice(db, reader));
  const begin = Math.min(lastId ?? newest, newest);

  async function* follow(signal: AbortSignal) {
    let wakeUp = new AbortController();
    const end = watch.follow(reader.audiences, () => wakeUp.abort());
    try {
      let after = begin;
      while (!signal.aborted) {
        // Before the read: what comes meanwhile makes it read again.
        wakeUp = new AbortController();
        const woken = AbortSignal.any([signal, wakeUp.signal]);
        const notices = await store.read(scope, (db) => noticesAfter(db, reader, after, batch));
        for (const notice of notices) {
          yield { id: String(notice.id), data: notice };
          after = notice.id;
        }
        if (notices.length < batch) await untilAborted(woken);
      }
    } finally {
      end();
    }
  }

  return { follow };
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
