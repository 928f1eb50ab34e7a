import type { HeldTask } from '@portal/service-kit';
import { noticeEvents } from '../../contracts/index.ts';
import { lockNotice, savePublication } from '../data/notice-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { publicationOf } from '../domain/notice.ts';

/** Publishes the notice of a task, once, and tells of it. */
export async function publishNotice({ clock, store }: Dependencies, task: HeldTask<null>): Promise<void> {
  const { partnerId, scope } = task;
  if (partnerId === null) throw new Error('Notices are of a partner');
  const key = { partnerId, id: Number(task.id) };
  await store.write(scope, async ({ db, outbox }) => {
    await task.finish(db);
    const notice = await lockNotice(db, key);
    await savePublication(db, key, clock.now());
    outbox.append(noticeEvents.noticePublished, {
      subject: notice.id,
      partnerId,
      data: publicationOf(notice),
    });
  });
}
