import { mailEvents } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import { type EventHandler, onMany } from '@portal/service-kit';
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
          events.map(({ data: { bulk = false, mailId: id, sealed }, partnerid: partnerId }) => ({
            id,
            partnerId,
            bulk,
            sealed,
          })),
          clock.now(),
        ),
      // By the ids of mails.
      { wakes: mailQueue.name, knowsRepeats: true },
    ),
  ];
}
