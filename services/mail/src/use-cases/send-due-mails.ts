import { everything } from '@portal/service-kit';
import { takeDueMails } from '../data/mail-repository.ts';
import { type Sending, sendMail } from './send-mail.ts';

const atOnce = 10;
/** Longer than a try may take. */
const tryMs = 5 * 60_000;

/** Sends what is due, until `stopping`: the rest is due at the next start as well. Several instances may do so at once. */
export async function sendDueMails(deps: Sending, stopping: AbortSignal): Promise<void> {
  const { clock, logger, store } = deps;
  while (!stopping.aborted) {
    const now = clock.now();
    const until = new Date(now.getTime() + tryMs);
    const mails = await store.write(everything, ({ db }) => takeDueMails(db, { limit: atOnce, now, until }));
    await Promise.all(
      mails.map(async (mail) =>
        // One that is sealed with a key that is gone, say, is due again later and holds up no other.
        sendMail(deps, mail).catch((error: unknown) =>
          logger.error({ err: error, mailId: mail.id }, 'Mail could not be handled'),
        ),
      ),
    );
    if (mails.length < atOnce) return;
  }
}
