import { limits } from '@portal/contracts';

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

/** One more wrong password: the tenth in a row locks the account, and counting begins anew. */
export function afterWrongPassword({ wrongPasswords }: LoginAttempts, now: Date): LoginAttempts {
  if (wrongPasswords + 1 < limits.wrongPasswordsBeforeLock) {
    return { wrongPasswords: wrongPasswords + 1, lockedUntil: null };
  }
  return { wrongPasswords: 0, lockedUntil: new Date(now.getTime() + limits.lockDuration) };
}
