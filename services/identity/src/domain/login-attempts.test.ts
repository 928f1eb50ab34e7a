import { describe, expect, it } from 'vitest';
import { judgeAttempt } from './login-attempts.ts';

const now = new Date('2026-11-21T09:00:00Z');
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
const fresh = { wrongPasswords: 0, lockedUntil: null };

describe('An attempt to sign in', () => {
  it('with the right password is admitted and forgets the wrong ones', () => {
    expect(judgeAttempt({ wrongPasswords: 9, lockedUntil: null }, true, now)).toEqual({
      admitted: true,
      attempts: fresh,
    });
  });

  it('that is the tenth wrong one in a row locks for 15 minutes', () => {
    let attempts: { wrongPasswords: number; lockedUntil: Date | null } = fresh;
    for (let count = 1; count < 10; count++) {
      attempts = judgeAttempt(attempts, false, now).attempts;
      expect(attempts).toEqual({ wrongPasswords: count, lockedUntil: null });
    }
    expect(judgeAttempt(attempts, false, now).attempts.lockedUntil).toEqual(minutes(15));
  });

  it('while locked is refused, right or wrong, and does not lengthen the lock', () => {
    const locked = { wrongPasswords: 0, lockedUntil: minutes(15) };
    expect(judgeAttempt(locked, true, minutes(14))).toEqual({ admitted: false, attempts: locked });
    expect(judgeAttempt(locked, false, minutes(14))).toEqual({ admitted: false, attempts: locked });
    expect(judgeAttempt(locked, true, minutes(15)).admitted).toBe(true);
  });
});
