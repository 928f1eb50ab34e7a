import { isLicenceOver } from '@portal/contracts';
import { describe, expect, it } from 'vitest';
import { changeContract, monthsAfter, openContract, requireOrderable } from './partner.ts';

const now = new Date('2026-11-21T09:00:00.500Z');
const partner = { name: 'A', unitId: 1, contractRank: 'entry' } as const;
const refusal = (code: string, field: string) =>
  expect.objectContaining({ code, fields: [expect.objectContaining({ field })] });

describe('A new contract', () => {
  it('takes what is not said from the plan of its rank', () => {
    expect(openContract(partner, now)).toMatchObject({
      licenseType: 'user',
      licenseCount: 20,
      licenseExpiredOn: null,
      userDeviceLimit: 0,
      uapFileLimit: 1,
      filePublicFlag: true,
      lang: 'ja',
      timeZone: 'Asia/Tokyo',
    });
  });

  it('of a trial ends one month from now, in whole seconds', () => {
    const contract = openContract({ ...partner, contractRank: 'trial' }, now);
    expect(contract.licenseExpiredOn).toEqual(new Date('2026-12-21T09:00:00Z'));
    expect(contract.licenseCount).toBe(5);
  });

  it('may say its own end, also none where the plan has no term', () => {
    const end = new Date('2026-10-01T00:00:00Z');
    const trial = { ...partner, contractRank: 'trial' } as const;
    expect(openContract({ ...trial, licenseExpiredOn: end }, now).licenseExpiredOn).toEqual(end);
    expect(openContract({ ...partner, licenseExpiredOn: null }, now).licenseExpiredOn).toBeNull();
    expect(() => openContract({ ...trial, licenseExpiredOn: null }, now)).toThrow(
      refusal('E40002', 'licenseExpiredOn'),
    );
  });

  it('is never free where an administrator orders it', () => {
    expect(() => requireOrderable({ contractRank: 'free' })).toThrow(refusal('E40015', 'contractRank'));
    expect(openContract({ ...partner, contractRank: 'free' }, now).licenseCount).toBe(1);
  });

  it('has no licence type that its plan lacks', () => {
    expect(() => openContract({ ...partner, licenseType: 'device' }, now)).toThrow(
      refusal('E40002', 'licenseType'),
    );
    const standard = { ...partner, contractRank: 'standard', licenseType: 'device' } as const;
    expect(openContract(standard, now).licenseType).toBe('device');
  });

  it('of a fixed plan has at most the licences of the plan', () => {
    const trial = { ...partner, contractRank: 'trial' } as const;
    expect(openContract({ ...trial, licenseCount: 3 }, now).licenseCount).toBe(3);
    expect(() => openContract({ ...trial, licenseCount: 6 }, now)).toThrow(refusal('E40016', 'licenseCount'));
  });

  it('limits devices only where the plan counts them', () => {
    expect(openContract({ ...partner, userDeviceLimit: 3 }, now).userDeviceLimit).toBe(0);
    const standard = { ...partner, contractRank: 'standard', userDeviceLimit: 3 } as const;
    expect(openContract(standard, now).userDeviceLimit).toBe(3);
  });

  it('keeps the addresses of managers without what surrounds them', () => {
    expect(openContract({ ...partner, managers: ' a@x.jp , b@x.jp ' }, now).managers).toBe('a@x.jp,b@x.jp');
    expect(openContract({ ...partner, managers: '' }, now).managers).toBe('');
  });
});

describe('A contract that is changed', () => {
  const present = openContract(
    { ...partner, contractRank: 'standard', licenseType: 'device', licenseCount: 10, comment: 'Old' },
    now,
  );
  const free = openContract({ ...partner, contractRank: 'free' }, now);

  it('keeps what is not said, and loses what is null', () => {
    expect(changeContract(present, {}, now)).toEqual(present);
    expect(changeContract(present, { comment: null, name: 'B' }, now)).toEqual({
      ...present,
      comment: '',
      name: 'B',
    });
  });

  it('never becomes free, and one that is stays as it is', () => {
    expect(() => changeContract(present, { contractRank: 'free' }, now)).toThrow(
      refusal('E40020', 'contractRank'),
    );
    expect(changeContract(free, { contractRank: 'free', licenseCount: 1, licenseType: 'user' }, now)).toEqual(
      free,
    );
    expect(() => changeContract(free, { licenseType: 'device' }, now)).toThrow(
      refusal('E40021', 'licenseType'),
    );
    expect(() => changeContract(free, { licenseCount: 2 }, now)).toThrow(refusal('E40022', 'licenseCount'));
  });

  it('of a free one may become any other, with the rules of that', () => {
    const paid = { contractRank: 'enterprise', licenseCount: 600, licenseType: 'device' } as const;
    expect(changeContract(free, { ...paid, licenseExpiredOn: null }, now)).toMatchObject({
      ...paid,
      licenseExpiredOn: null,
    });
    expect(() => changeContract(free, { contractRank: 'trial', licenseCount: 6 }, now)).toThrow(
      refusal('E40016', 'licenseCount'),
    );
  });

  it('holds to the plan of its new rank', () => {
    expect(() => changeContract(present, { contractRank: 'entry' }, now)).toThrow(
      refusal('E40002', 'licenseType'),
    );
    const toTrial = { contractRank: 'trial', licenseType: 'user' } as const;
    expect(() => changeContract(present, toTrial, now)).toThrow(refusal('E40016', 'licenseCount'));
    expect(changeContract(present, { ...toTrial, licenseCount: 5 }, now).licenseExpiredOn).toEqual(
      new Date('2026-12-21T09:00:00Z'),
    );
    expect(() =>
      changeContract(present, { ...toTrial, licenseCount: 5, licenseExpiredOn: null }, now),
    ).toThrow(refusal('E40002', 'licenseExpiredOn'));
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
