import { limits } from '@portal/contracts';
import type { SqlExecutor } from '@portal/messaging';

/** The failed sign-ins of an account. */
export interface LoginAttempts {
  /** Consecutive wrong passwords since the last right one or the last lock. */
  readonly wrongPasswords: number;
  readonly lockedUntil: Date | null;
}

export const noFailedAttempts: LoginAttempts = { wrongPasswords: 0, lockedUntil: null };

export function isLocked({ lockedUntil }: Pick<LoginAttempts, 'lockedUntil'>, now: Date): boolean {
  return lockedUntil !== null && lockedUntil > now;
}

/**
 * The state after an attempt; a right password of a locked account does not count. It is written in every case, so that
 * the time of the answer reveals nothing.
 */
export function afterAttempt(
  attempts: LoginAttempts,
  { now, right }: { readonly right: boolean; readonly now: Date },
): LoginAttempts & { readonly admitted: boolean } {
  if (isLocked(attempts, now)) return { ...attempts, admitted: false };
  return { ...(right ? noFailedAttempts : afterWrongPassword(attempts, now)), admitted: right };
}

/** An attempt for an unknown account; it takes as long as for a known one. */
export async function recordUnknownAttempt(db: SqlExecutor, login: string): Promise<void> {
  await db.$executeRawUnsafe(
    'UPDATE messaging.unknown_login SET tries = tries + 1 WHERE place = hashtext($1) & 63',
    login,
  );
}

/** One more wrong password: the tenth in a row locks the account and restarts the count. */
function afterWrongPassword({ wrongPasswords }: LoginAttempts, now: Date): LoginAttempts {
  if (wrongPasswords + 1 < limits.wrongPasswordsBeforeLock) {
    return { wrongPasswords: wrongPasswords + 1, lockedUntil: null };
  }
  return { wrongPasswords: 0, lockedUntil: new Date(now.getTime() + limits.lockDuration) };
}
