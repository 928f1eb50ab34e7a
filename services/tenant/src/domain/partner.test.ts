import { isLicenceOver } from '@portal/contracts';
import { describe, expect, it } from 'vitest';
import { licenceCountOf, monthsAfter, openContract } from './partner.ts';

const now = new Date('2026-11-21T09:00:00.500Z');
const unit = { allocated: 100, consumed: 60 };
const partner = { name: 'A', unitId: 1, partnerCode: '1', contractRank: 'entry' } as const;
const refusal = (code: string, field: string) =>
  expect.objectContaining({ code, fields: [expect.objectContaining({ field })] });

describe('A new contract', () => {
  it('takes what is not said from the plan of its rank', () => {
    expect(openContract(partner, unit, now)).toMatchObject({
      licenseType: 'user',
      licenseCount: 20,
      licenseExpiredOn: null,
      userDeviceLimit: 0,
      uapFileLimit: 1,
      lang: 'ja',
    });
  });

  it('of a trial ends one month from now, in whole seconds', () => {
    const contract = openContract({ ...partner, contractRank: 'trial' }, unit, now);
    expect(contract.licenseExpiredOn).toEqual(new Date('2026-12-21T09:00:00Z'));
    expect(contract.licenseCount).toBe(5);
  });

  it('may say its own end, also none', () => {
    const end = new Date('2026-10-01T00:00:00Z');
    const trial = { ...partner, contractRank: 'trial' } as const;
    expect(openContract({ ...trial, licenseExpiredOn: end }, unit, now).licenseExpiredOn).toEqual(end);
    expect(openContract({ ...trial, licenseExpiredOn: null }, unit, now).licenseExpiredOn).toBeNull();
  });

  it('is never free: only sign-up makes a free tenant', () => {
    expect(() => openContract({ ...partner, contractRank: 'free' }, unit, now)).toThrow(
      refusal('E40015', 'contractRank'),
    );
  });

  it('has no licence type that its plan lacks', () => {
    expect(() => openContract({ ...partner, licenseType: 'device' }, unit, now)).toThrow(
      refusal('E40002', 'licenseType'),
    );
    const standard = {
      ...partner,
      contractRank: 'standard',
      licenseCount: 1,
      licenseType: 'device',
    } as const;
    expect(openContract(standard, unit, now).licenseType).toBe('device');
  });

  it('has at most the licences that its unit has left', () => {
    expect(openContract({ ...partner, licenseCount: 40 }, unit, now).licenseCount).toBe(40);
    expect(() => openContract({ ...partner, licenseCount: 41 }, unit, now)).toThrow(
      refusal('E40016', 'licenseCount'),
    );
  });
});

describe('The number of licences', () => {
  it('of a fixed plan is at most the plan has', () => {
    expect(licenceCountOf('trial', 3)).toBe(3);
    expect(() => licenceCountOf('trial', 6)).toThrow(refusal('E40002', 'licenseCount'));
    expect(() => licenceCountOf('free', 2)).toThrow(refusal('E40002', 'licenseCount'));
  });

  it('is a whole number that is not negative', () => {
    expect(() => licenceCountOf('entry', -1)).toThrow(refusal('E40002', 'licenseCount'));
    expect(() => licenceCountOf('entry', 1.5)).toThrow(refusal('E40002', 'licenseCount'));
  });
});

describe('A month', () => {
  it('that is shorter ends the term on its last day', () => {
    expect(monthsAfter(new Date('2027-01-31T12:00:00Z'), 1)).toEqual(new Date('2027-02-28T12:00:00Z'));
    expect(monthsAfter(new Date('2027-03-31T12:00:00Z'), -1)).toEqual(new Date('2027-02-28T12:00:00Z'));
  });
});

describe('A licence', () => {
  const end = new Date('2026-11-21T00:00:00Z');
  it('is over one day after its date, to the second', () => {
    expect(isLicenceOver(end, new Date('2026-11-21T23:59:59Z'))).toBe(false);
    expect(isLicenceOver(end, new Date('2026-11-22T00:00:00Z'))).toBe(true);
  });
  it('without a date is never over', () => {
    expect(isLicenceOver(null, new Date('9999-01-01T00:00:00Z'))).toBe(false);
  });
});
