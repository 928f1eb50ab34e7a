import { describe, expect, test } from 'vitest';
import { dueLicenceNotice } from './licence-end.ts';

const now = new Date('2026-11-21T09:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * 24 * 3_600_000);
const untold = { licenceToldFor: null, licenceToldDays: null };

describe('When a licence ends', () => {
  test('then it is told from 30 days before on, and from 7', () => {
    expect(dueLicenceNotice({ ...untold, licenseExpiredOn: inDays(30.01) }, now)).toBeUndefined();
    expect(dueLicenceNotice({ ...untold, licenseExpiredOn: inDays(30) }, now)?.days).toBe(30);
    expect(dueLicenceNotice({ ...untold, licenseExpiredOn: inDays(7.01) }, now)?.days).toBe(30);
    expect(dueLicenceNotice({ ...untold, licenseExpiredOn: inDays(7) }, now)?.days).toBe(7);
  });

  test('then each is told once, and again of another end', () => {
    const end = inDays(6);
    expect(
      dueLicenceNotice({ licenseExpiredOn: end, licenceToldFor: end, licenceToldDays: 30 }, now)?.days,
    ).toBe(7);
    expect(
      dueLicenceNotice({ licenseExpiredOn: end, licenceToldFor: end, licenceToldDays: 7 }, now),
    ).toBeUndefined();
    const before = inDays(5);
    expect(
      dueLicenceNotice({ licenseExpiredOn: end, licenceToldFor: before, licenceToldDays: 7 }, now),
    ).toEqual({ end, days: 7 });
  });

  test('then nothing is told of one that is over, or of none', () => {
    expect(dueLicenceNotice({ ...untold, licenseExpiredOn: now }, now)).toBeUndefined();
    expect(dueLicenceNotice({ ...untold, licenseExpiredOn: null }, now)).toBeUndefined();
  });
});
