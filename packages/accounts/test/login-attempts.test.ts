import { describe, expect, it } from 'vitest';
import { afterAttempt, isLocked, type LoginAttempts, noFailedAttempts } from '../src/login-attempts.ts';

const now = new Date('2026-11-21T09:00:00Z');
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

function afterWrong(times: number, from: LoginAttempts = noFailedAttempts, at = now): LoginAttempts {
  let attempts = from;
  for (let i = 0; i < times; i++) attempts = afterAttempt(attempts, { right: false, now: at });
  return attempts;
}

describe('Wrong passwords', () => {
  it('lock the account at the tenth in a row, for 15 minutes', () => {
    expect(isLocked(afterWrong(9), now)).toBe(false);
    expect(isLocked(afterWrong(10), now)).toBe(true);
    expect(isLocked(afterWrong(10), new Date(later(15).getTime() - 1))).toBe(true);
    expect(isLocked(afterWrong(10), later(15))).toBe(false);
  });

  it('are not counted while it is locked, and the right one is not let in', () => {
    expect(isLocked(afterWrong(30), later(15))).toBe(false);
    expect(afterAttempt(afterWrong(10), { right: true, now })).toMatchObject({
      admitted: false,
      lockedUntil: later(15),
    });
  });

  it('are counted anew after a lock, and after the right one', () => {
    const anew = afterWrong(1, afterWrong(10), later(15));
    expect(anew).toMatchObject({ wrongPasswords: 1, lockedUntil: null });
    expect(afterAttempt(afterWrong(9), { right: true, now })).toEqual({
      ...noFailedAttempts,
      admitted: true,
    });
  });
});
