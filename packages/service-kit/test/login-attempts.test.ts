import { describe, expect, it } from 'vitest';
import { afterWrongPassword, isLocked, type LoginAttempts, noWrongPasswords } from '../src/login-attempts.ts';

const now = new Date('2026-11-21T09:00:00Z');
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

function afterWrong(times: number): LoginAttempts {
  let attempts = noWrongPasswords;
  for (let i = 0; i < times; i++) attempts = afterWrongPassword(attempts, now);
  return attempts;
}

describe('Wrong passwords', () => {
  it('lock the account at the tenth in a row, for 15 minutes', () => {
    expect(isLocked(afterWrong(9), now)).toBe(false);
    expect(isLocked(afterWrong(10), now)).toBe(true);
    expect(isLocked(afterWrong(10), new Date(later(15).getTime() - 1))).toBe(true);
    expect(isLocked(afterWrong(10), later(15))).toBe(false);
  });
  it('are counted anew after a lock', () => {
    expect(isLocked(afterWrong(19), later(15))).toBe(false);
    expect(afterWrong(11)).toEqual({ wrongPasswords: 1, lockedUntil: null });
  });
});
