import { limits } from '@portal/contracts';

export interface Attempts {
  /** Wrong passwords in a row. */
  readonly wrongPasswords: number;
  readonly lockedUntil: Date | null;
}

const none: Attempts = { wrongPasswords: 0, lockedUntil: null };

/** What an attempt to sign in comes to: ten wrong passwords in a row lock the account for 15 minutes. */
export function judgeAttempt(
  attempts: Attempts,
  passwordIsRight: boolean,
  now: Date,
): { admitted: boolean; attempts: Attempts } {
  if (attempts.lockedUntil && attempts.lockedUntil > now) return { admitted: false, attempts };
  if (passwordIsRight) return { admitted: true, attempts: none };
  const wrongPasswords = attempts.wrongPasswords + 1;
  return {
    admitted: false,
    attempts:
      wrongPasswords < limits.wrongPasswordsBeforeLock
        ? { wrongPasswords, lockedUntil: null }
        : { wrongPasswords: 0, lockedUntil: new Date(now.getTime() + limits.lockDuration) },
  };
}
