import { limits } from '@portal/contracts';
import type { SqlExecutor } from '@portal/messaging';

/** What is remembered of the wrong passwords of an account. */
export interface LoginAttempts {
  /** Wrong ones in a row since the last right one or the last lock. */
  readonly wrongPasswords: number;
  readonly lockedUntil: Date | null;
}

export const noWrongPasswords: LoginAttempts = { wrongPasswords: 0, lockedUntil: null };

export function isLocked({ lockedUntil }: LoginAttempts, now: Date): boolean {
  return lockedUntil !== null && lockedUntil > now;
}

/**
 * What a try at a password leaves behind; `right` ones of an account that is locked are none. Whatever it is, it is written:
 * nobody can tell by the clock.
 */
export function afterTry(
  attempts: LoginAttempts,
  { now, right }: { readonly right: boolean; readonly now: Date },
): LoginAttempts & { readonly admitted: boolean } {
  if (isLocked(attempts, now)) return { ...attempts, admitted: false };
  return { ...(right ? noWrongPasswords : afterWrongPassword(attempts, now)), admitted: right };
}

/** A try at the password of nobody: it costs what that of somebody costs. */
export async function countForNobody(db: SqlExecutor, login: string): Promise<void> {
  await db.$executeRawUnsafe(
    'UPDATE messaging.unknown_login SET tries = tries + 1 WHERE place = hashtext($1) & 63',
    login,
  );
}

/** One more wrong password: the tenth in a row locks the account, and counting begins anew. */
function afterWrongPassword({ wrongPasswords }: LoginAttempts, now: Date): LoginAttempts {
  if (wrongPasswords + 1 < limits.wrongPasswordsBeforeLock) {
    return { wrongPasswords: wrongPasswords + 1, lockedUntil: null };
  }
  return { wrongPasswords: 0, lockedUntil: new Date(now.getTime() + limits.lockDuration) };
}
