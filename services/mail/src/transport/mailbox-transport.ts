import type { Clock } from '@portal/kernel';
import { type Store, systemScope } from '@portal/service-kit';
import type { MailDb } from '../data/db.ts';
import { insertIntoMailbox } from '../data/mailbox-repository.ts';
import type { MailTransport } from './transport.ts';

/** Keeps mails where a demo shows them. */
export function createMailboxTransport({
  clock,
  store,
}: {
  clock: Clock;
  store: Store<MailDb>;
}): MailTransport {
  const scope = systemScope('the demo keeps the mails of all tenants');
  return {
    async send(message) {
      await store.write(scope, ({ db }) => insertIntoMailbox(db, message, clock.now()));
      return {};
    },
    close() {},
  };
}
