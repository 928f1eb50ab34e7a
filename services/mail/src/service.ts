import { defineService } from '@portal/service-kit';
import { type Config, config } from './config.ts';
import type { MailDb } from './data/db.ts';
import { PrismaClient } from './data/generated/client.ts';
import { createNoticeWatch } from './data/notice-watch.ts';
import { contractReader } from './data/partner-repository.ts';
import { partnerRows } from './data/partner-rows.ts';
import { subscriptions } from './events/subscriptions.ts';
import { internalRoutes } from './http/internal.routes.ts';
import { mailboxRoutes } from './http/mailbox.routes.ts';
import { noticeRoutesOf } from './http/notices.routes.ts';
import { jobs } from './jobs.ts';
import { createMailboxTransport } from './transport/mailbox-transport.ts';

/** Owns the mails that other services ask for: their words, their sending, and what did not get through; and notices in the portal. */
export const mailService = defineService<MailDb, Config>({
  name: 'mail',
  config,
  directory: new URL('../', import.meta.url),
  prismaClient: PrismaClient,
  partnerRows,
  async create({ clock, config, databaseUrl, logger, peers, seals, store }) {
    const { from, mailUrl, publicUrl, showsMailbox } = config;
    const transport = mailUrl
      ? // Its library is large, and nobody needs it without a server.
        (await import('./transport/smtp-transport.ts')).createSmtpTransport(mailUrl)
      : showsMailbox
        ? createMailboxTransport({ clock, store })
        : undefined;
    if (!transport) logger.warn('MAIL_URL is empty: mails wait, and are forgotten after a week');

    const watch = createNoticeWatch({ connectionString: databaseUrl, logger });
    watch.start();

    return {
      routes: [
        ...noticeRoutesOf({ store, watch }),
        ...mailboxRoutes({ isShown: showsMailbox, store }),
        ...internalRoutes({ sends: transport !== undefined }),
      ],
      subscriptions: subscriptions({ clock }),
      contractOf: contractReader({ clock, peers, store }),
      jobs: jobs({ clock, from, logger, peers, publicUrl, seals, store, transport }),
      async close() {
        await watch.close();
        transport?.close();
      },
    };
  },
});
