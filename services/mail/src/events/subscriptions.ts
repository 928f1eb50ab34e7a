import { mailEvents } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import { type EventHandler, on, onMany } from '@portal/service-kit';
import type { MailDb } from '../data/db.ts';
import { insertMails, mailQueue } from '../data/mail-repository.ts';
import { partnerSubscriptions } from '../data/partner-repository.ts';
import { noticeSubscriptions } from './notice-subscriptions.ts';

export function subscriptions({ clock }: { clock: Clock }): EventHandler<MailDb>[] {
  return [
    ...partnerSubscriptions<MailDb>(),
    ...noticeSubscriptions({ clock }),

    onMany(
      mailEvents.mailRequested,
      'keep-mails',
      async ({ db }, events) =>
        insertMails(
          db,
          events.map(({ data, partnerid: partnerId }) => ({ ...data, partnerId })),
          { inBulk: false, now: clock.now() },
        ),
      // By the ids of mails.
      { wakes: mailQueue.name, knowsRepeats: true },
    ),

    // By another handler: single mails do not wait behind them.
    on(
      mailEvents.mailsRequested,
      'keep-mails-in-bulk',
      async ({ db }, { data, partnerid: partnerId }) =>
        insertMails(
          db,
          data.mails.map((mail) => ({ ...mail, partnerId })),
          { inBulk: true, now: clock.now() },
        ),
      { wakes: mailQueue.name },
    ),
  ];
}
