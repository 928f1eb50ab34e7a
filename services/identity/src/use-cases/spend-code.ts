import type { KeyCipher } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import type { TwoFactor } from '../data/generated/client.ts';
import { sealedFor, spendRecoveryCode, spendStep } from '../data/two-factor-repository.ts';
import type { Owner } from '../domain/owner.ts';
import { hashOfRecoveryCode, plainCode } from '../tokens/recovery-code.ts';
import { totpStep } from '../tokens/totp.ts';

/**
 * Whether a code is right: each is once, of many calls at once too. `takes` tells whether a recovery code serves. The second
 * factor is held by the transaction.
 */
export async function spendCode(
  db: IdentityDb,
  cipher: KeyCipher,
  { owner, twoFactor }: { readonly owner: Owner; readonly twoFactor: TwoFactor },
  { code, now, takes }: { readonly code: string; readonly now: Date; readonly takes: 'any' | 'app' },
): Promise<boolean> {
  const plain = plainCode(code);
  if (!/^\d{6}$/.test(plain)) {
    return takes === 'any' && spendRecoveryCode(db, owner, hashOfRecoveryCode(plain));
  }
  if (!twoFactor.secret) return false;
  const step = totpStep(cipher.open(twoFactor.secret, sealedFor(owner)), plain, now);
  return step !== null && spendStep(db, owner, step);
}
