import type { IdentityDb } from './db.ts';

/** Whether passwords are refused to all but company admins of a partner, where its contract has single sign-on. */
export async function isSsoOnly(db: IdentityDb, partnerId: number): Promise<boolean> {
  const found = await db.ssoSetting.findUnique({ where: { partnerId } });
  return found?.ssoOnly ?? false;
}

export async function keepSsoSetting(db: IdentityDb, partnerId: number, ssoOnly: boolean): Promise<void> {
  await db.$executeRaw`
    INSERT INTO sso_settings (partner_id, sso_only) VALUES (${partnerId}, ${ssoOnly})
    ON CONFLICT (partner_id) DO UPDATE SET sso_only = EXCLUDED.sso_only`;
}
