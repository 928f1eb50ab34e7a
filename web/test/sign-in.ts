import type { ContractRank } from '@portal/contracts';
import { createSessionStore } from '../src/lib/session/session-store.ts';
import { createTokenVault } from '../src/lib/session/token-vault.ts';
import { partnerReply } from './server.ts';

/** Begins the session of a company's person, with what their sign-in would have answered. */
export async function signInPartner({
  role = partnerReply.user.role,
  licenseType = 'user',
  licenseExpiredOn = null,
  contractRank = 'enterprise',
  userId = partnerReply.user.id,
}: {
  userId?: number;
  contractRank?: ContractRank;
  role?: number;
  licenseExpiredOn?: Date | null;
  licenseType?: 'device' | 'user';
} = {}): Promise<void> {
  const { partner, user } = partnerReply;
  await createSessionStore(createTokenVault()).begin(
    'partner',
    {
      partner: {
        id: partner.id,
        name: partner.name,
        partnerCode: partner.partner_code,
        licenseExpiredOnUnixtime: licenseExpiredOn && licenseExpiredOn.getTime() / 1000,
        contractRank,
        licenseType,
      },
      user: { id: userId, name: user.name, email: user.email, role, groups: [] },
      twoFactorSetup: false,
    },
    'partner-token',
    3600,
  );
}

/** Begins the session of an administrator, of the platform or of a unit. */
export const signInAdmin = (outsourcingFlag = false, role = 127, unitId = outsourcingFlag ? 1 : null) =>
  createSessionStore(createTokenVault()).begin(
    'admin',
    {
      name: 'Admin',
      email: 'admin@example.com',
      role,
      outsourcingFlag,
      unitId,
      twoFactorSetup: false,
    },
    'admin-token',
    3600,
  );
