import { type EventData, mailEvents, type tenantEvents } from '@portal/contracts';
import type { MailContent } from '@portal/contracts/internal';
import { newId } from '@portal/kernel';
import type { ServiceHarness } from '@portal/testing';

export const partner: EventData<typeof tenantEvents.partnerCreated> = {
  partnerId: 1,
  unitId: 1,
  name: 'Demo <Corporation>',
  partnerCode: '1000',
  contractRank: 'enterprise',
  licenseType: 'user',
  licenseCount: 100,
  licenseExpiredOn: null,
  userDeviceLimit: 0,
  uapFileLimit: 0,
  filePublicFlag: true,
  operationLogDownloadFlag: true,
  lang: 'ja',
};

export const token = 'the-token-of-the-link';

export const reset = {
  to: 'Taro@example.com',
  name: 'Taro <Yamada>',
  language: null,
  template: 'passwordReset',
  area: 'partner',
  token,
} as const satisfies MailContent;

/** Asks for a mail as another service would. @returns its id */
export async function request(
  harness: ServiceHarness,
  content: MailContent,
  options: { partnerId?: number | null; mailId?: string } = {},
): Promise<string> {
  const { mailId = newId(), partnerId = 1 } = options;
  await harness.deliver(mailEvents.mailRequested, {
    subject: mailId,
    partnerId,
    data: { mailId, sealed: harness.sealsOf('identity').seal(JSON.stringify(content), mailId, 'mail') },
  });
  return mailId;
}

/** Where a mail stands, and how often it was tried in vain. */
export async function stateOf(
  harness: ServiceHarness,
  id: string,
): Promise<{ status: string; attempts: number; sealed: string | null; dueAt: Date | null }> {
  const [mail] = await harness.sql<{
    status: string;
    attempts: number;
    sealed: string | null;
    dueAt: Date | null;
  }>(
    `SELECT status, coalesce(task.attempts - (lease IS NOT NULL)::integer, 0) AS attempts,
       payload ->> 'sealed' AS sealed, task.due_at AS "dueAt"
     FROM mails LEFT JOIN messaging.task ON task.queue = 'send-mails' AND task.id = mails.id::text WHERE mails.id = $1`,
    id,
  );
  if (!mail) throw new Error('No such mail');
  return mail;
}
