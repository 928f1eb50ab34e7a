import { formatDateTime, mailRoutes } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { HtmlPage, type Implementation, implement, type Store } from '@portal/service-kit';
import type { MailDb } from '../data/db.ts';
import { listMailbox } from '../data/mailbox-repository.ts';
import { mailboxPage } from './mailbox-page.ts';

/** @param isShown only a demo shows its mails to everybody */
export function mailboxRoutes({
  isShown,
  store,
}: {
  isShown: boolean;
  store: Store<MailDb>;
}): Implementation[] {
  return [
    implement(mailRoutes.devMailbox, async ({ query }, { systemScope, wantsPage }) => {
      if (!isShown) throw new AppError('E40401');
      const entries = await store.read(systemScope('the demo shows its mails to everybody'), (db) =>
        listMailbox(db, query.to),
      );
      const mails = entries.map(({ from, html, sentAt, subject, text, to }) => ({
        to,
        from,
        subject,
        text,
        html,
        sentAt: formatDateTime(sentAt),
      }));
      return wantsPage ? new HtmlPage(mailboxPage(mails)) : { mails };
    }),
  ];
}
