import { limits } from '@portal/contracts';
import { createWorker, type Job } from '@portal/service-kit';
import { forgetMails, mailQueue } from './data/mail-repository.ts';
import { forgetNotices } from './data/notice-repository.ts';
import { codesOf, giveUpMail, type Sending, sendMail } from './use-cases/send-mail.ts';

const minute = 60_000;
const hour = 60 * minute;
const keptMs = 7 * 24 * hour;

/** The jobs of this service; without a transport mails wait. */
export function jobs({
  transport,
  ...deps
}: Omit<Sending, 'transport'> & { readonly transport: Sending['transport'] | undefined }): readonly Job[] {
  const { clock, store } = deps;
  const forget: Job = {
    name: 'forget-mails',
    everyMs: hour,
    run: async ({ scope }) =>
      store.write(scope, ({ db }) => forgetMails(db, new Date(clock.now().getTime() - keptMs))),
  };
  const forgetOld: Job = {
    name: 'forget-notices',
    everyMs: hour,
    run: async ({ scope }) =>
      store.write(scope, ({ db }) =>
        forgetNotices(db, new Date(clock.now().getTime() - limits.noticeRetention)),
      ),
  };
  if (!transport) return [forget, forgetOld];
  const sending = { ...deps, transport };
  const worker = createWorker(deps, mailQueue, {
    atOnce: 10,
    // As long as the links in mails are good for.
    retry: { firstMs: minute, longestMs: hour, forMs: 24 * hour },
    work: async (mail) => sendMail(sending, mail),
    giveUp: async (tx, mail, error) => giveUpMail(sending, tx, mail, error),
    describe: codesOf,
  });
  return [worker.job, forget, forgetOld];
}
