import type { TenantDb } from './db.ts';

/** Adds what became of mails to the counts of their tenants, and notes the last bounce of each. */
export async function addMails(
  db: TenantDb,
  mails: readonly { readonly partnerId: number; readonly at: Date }[],
  outcome: 'sent' | 'bounced',
): Promise<void> {
  // In one order everywhere: the rows stay locked to the end.
  const tenants = [...Map.groupBy(mails, ({ partnerId }) => partnerId)].sort(([a], [b]) => a - b);
  for (const [partnerId, ofTenant] of tenants) {
    const count = ofTenant.length;
    if (outcome === 'sent') {
      await db.$executeRaw`UPDATE partners SET mail_count = mail_count + ${count} WHERE partner_id = ${partnerId}`;
    } else {
      const last = new Date(Math.max(...ofTenant.map(({ at }) => at.getTime())));
      await db.$executeRaw`
        UPDATE partners SET bounce_count = bounce_count + ${count}, last_bounce_at = GREATEST(last_bounce_at, ${last})
        WHERE partner_id = ${partnerId}`;
    }
  }
}
