import { keptPlan, type RawQueries } from '@portal/database';
import type { IdentityDb } from './db.ts';

/**
 * Whether passwords are refused to all but company admins of a partner, where its contract has single sign-on. By hand: each
 * sign-in asks.
 */
export async function isSsoOnly(db: RawQueries, partnerId: number): Promise<boolean> {
  const [found] = await db.$queryRaw<{ ssoOnly: boolean }[]>`
    SELECT ${keptPlan} sso_only AS "ssoOnly" FROM sso_settings WHERE partner_id = ${partnerId}`;
  return found?.ssoOnly ?? false;
}

export async function keepSsoSetting(db: IdentityDb, partnerId: number, ssoOnly: boolean): Promise<void> {
  await db.$executeRaw`
    INSERT INTO sso_settings (partner_id, sso_only) VALUES (${partnerId}, ${ssoOnly})
    ON CONFLICT (partner_id) DO UPDATE SET sso_only = EXCLUDED.sso_only`;
}
