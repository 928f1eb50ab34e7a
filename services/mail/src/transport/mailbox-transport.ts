import type { Clock } from '@portal/kernel';
import { everything, type Store } from '@portal/service-kit';
import type { MailDb } from '../data/db.ts';
import { keepInMailbox } from '../data/mailbox-repository.ts';
import type { MailTransport } from './transport.ts';

/** Keeps mails where a demo shows them. */
export function createMailboxTransport({
  clock,
  store,
}: {
  clock: Clock;
  store: Store<MailDb>;
}): MailTransport {
  return {
    async send(message) {
      await store.write(everything, ({ db }) => keepInMailbox(db, message, clock.now()));
      return {};
    },
    close() {},
  };
}
