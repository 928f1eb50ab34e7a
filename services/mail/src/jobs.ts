import { everything, type Job } from '@portal/service-kit';
import { forgetMails } from './data/mail-repository.ts';
import { sendDueMails } from './use-cases/send-due-mails.ts';
import type { Sending } from './use-cases/send-mail.ts';

const second = 1_000;
const hour = 3_600 * second;
const keptMs = 7 * 24 * hour;

/** Woken when mails have come; by itself it looks for those to be tried again. */
export const sendJob = 'send-mails';

/** All that this service does by itself; without a transport mails wait. */
export function jobs({
  transport,
  ...tools
}: Omit<Sending, 'transport'> & { readonly transport: Sending['transport'] | undefined }): readonly Job[] {
  const { clock, store } = tools;
  const forget: Job = {
    name: 'forget-mails',
    everyMs: hour,
    run: async () =>
      store.write(everything, ({ db }) => forgetMails(db, new Date(clock.now().getTime() - keptMs))),
  };
  if (!transport) return [forget];
  const run = async (stopping: AbortSignal) => sendDueMails({ ...tools, transport }, stopping);
  return [{ name: sendJob, everyMs: 5 * second, run }, forget];
}
