import type { IdentityDb } from './db.ts';

/** In the place of a partner: the platform, with its administrators and those of units. */
const platform = 0;

/** Whether a partner, or with null the platform, requires two factors. */
export async function isTwoFactorRequired(db: IdentityDb, partnerId: number | null): Promise<boolean> {
  const found = await db.securitySettings.findUnique({ where: { partnerId: partnerId ?? platform } });
  return found?.twoFactorRequired ?? false;
}

export async function requireTwoFactor(
  db: IdentityDb,
  partnerId: number | null,
  required: boolean,
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO security_settings (partner_id, two_factor_required) VALUES (${partnerId ?? platform}, ${required})
    ON CONFLICT (partner_id) DO UPDATE SET two_factor_required = EXCLUDED.two_factor_required`;
}
