import { mailEvents, tenantEvents } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import { type EventHandler, on, onMany } from '@portal/service-kit';
import type { MailDb } from '../data/db.ts';
import { keepMails } from '../data/mail-repository.ts';
import { keepPartner } from '../data/partner-repository.ts';
import { sendJob } from '../jobs.ts';

export function subscriptions({ clock }: { clock: Clock }): EventHandler<MailDb>[] {
  return [
    on(tenantEvents.partnerCreated, 'keep-partners', async ({ db }, { data }) => keepPartner(db, data)),

    onMany(
      mailEvents.mailRequested,
      'keep-mails',
      async ({ db }, events) =>
        keepMails(
          db,
          events.map(({ data: { bulk = false, mailId: id, sealed }, partnerid: partnerId }) => ({
            id,
            partnerId,
            bulk,
            sealed,
          })),
          clock.now(),
        ),
      { wakes: sendJob },
    ),
  ];
}
