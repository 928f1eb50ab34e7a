import { defineService, everything } from '@portal/service-kit';
import { type Config, config } from './config.ts';
import type { MailDb } from './data/db.ts';
import { PrismaClient } from './data/generated/client.ts';
import { forgetMails } from './data/mail-repository.ts';
import { subscriptions } from './events/subscriptions.ts';
import { mailboxRoutes } from './http/mailbox.routes.ts';
import { createMailboxTransport } from './transport/mailbox-transport.ts';
import { createSmtpTransport } from './transport/smtp-transport.ts';
import { sendDueMails } from './use-cases/send-due-mails.ts';

const second = 1_000;
const hour = 3_600_000;
const keptMs = 7 * 24 * hour;

/** Owns the mails that other services ask for: their words, their sending, and what did not get through. */
export const mailService = defineService<MailDb, Config>({
  name: 'mail',
  config,
  directory: new URL('../', import.meta.url),
  prismaClient: PrismaClient,
  create({ clock, config, logger, peers, seals, store }) {
    const { from, mailUrl, publicUrl, showsMailbox } = config;
    const transport = mailUrl
      ? createSmtpTransport(mailUrl)
      : showsMailbox
        ? createMailboxTransport({ clock, store })
        : undefined;
    if (!transport) logger.warn('MAIL_URL is empty: mails wait, and are forgotten after a week');

    return {
      routes: mailboxRoutes({ isShown: showsMailbox, store }),
      subscriptions: subscriptions({ clock }),
      jobs: [
        ...(transport
          ? [
              {
                name: 'send-mails',
                everyMs: second,
                run: async (stopping: AbortSignal) =>
                  sendDueMails({ clock, from, logger, peers, publicUrl, seals, store, transport }, stopping),
              },
            ]
          : []),
        {
          name: 'forget-mails',
          everyMs: hour,
          run: async () =>
            store.write(everything, ({ db }) => forgetMails(db, new Date(clock.now().getTime() - keptMs))),
        },
      ],
      close: async () => transport?.close(),
    };
  },
});
