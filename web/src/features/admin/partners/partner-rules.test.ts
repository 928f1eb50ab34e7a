import { describe, expect, it } from 'vitest';
import {
  editedPartnerBody,
  effectOfEnd,
  emptyPartner,
  featuresLost,
  managersOf,
  monthsLater,
  newPartnerBody,
  type PartnerDetail,
  partnerSchema,
  partnerValuesOf,
  rankRefusal,
  withRank,
} from './partner-rules.ts';

const partner: PartnerDetail = {
  id: 2,
  name: 'Sakura',
  partnerCode: 'S-1',
  unitId: 1,
  unitName: 'East',
  contractRank: 'standard',
  licenseType: 'device',
  licenseCount: 200,
  licenseExpiredOn: '2026-11-30T00:00:00Z',
  userDeviceLimit: 3,
  uapFileLimit: 1,
  filePublicFlag: true,
  operationLogDownloadFlag: false,
  email: null,
  managers: 'a@example.com, b@example.com',
  partnerItem: '',
  comment: '',
  json: '',
  lang: 'ja',
  timeZone: 'Asia/Tokyo',
  signUp: null,
  hasData: true,
  bounceCount: 0,
  mailCount: 0,
  createdAt: '2026-11-21T00:00:00Z',
  updatedAt: '2026-11-21T00:00:00Z',
};

const trial = withRank({ ...emptyPartner, name: 'Ume', unitId: 1 }, 'trial');

function refusedFields(values: object, asked: Parameters<typeof partnerSchema>[0] = { asksUnit: true }) {
  const { error } = partnerSchema(asked).safeParse(values);
  return Object.fromEntries(error?.issues.map(({ message, path }) => [path.join(), message]) ?? []);
}

describe('the form of a company', () => {
  it('asks for what there must be, and for the unit only who may choose it', () => {
    expect(refusedFields(trial)).toEqual({});
    expect(Object.keys(refusedFields({ ...trial, name: ' ', unitId: 0, licenseCount: '' })).sort()).toEqual([
      'licenseCount',
      'name',
      'unitId',
    ]);
    expect(refusedFields({ ...trial, unitId: 0 }, { asksUnit: false })).toEqual({});
  });

  it('asks for the plan before its numbers, which it fills', () => {
    expect(refusedFields(emptyPartner)).toEqual({
      name: 'required',
      unitId: 'required',
      contractRank: 'required',
    });
    expect(refusedFields({ ...trial, licenseCount: ' ', uapFileLimit: '' })).toEqual({
      licenseCount: 'required',
      uapFileLimit: 'required',
    });
  });

  it('keeps to the plan of the rank', () => {
    expect(refusedFields({ ...trial, licenseCount: '6' })).toEqual({ licenseCount: 'outOfRange' });
    expect(refusedFields({ ...trial, contractRank: 'entry', licenseCount: '6' })).toEqual({});
    expect(refusedFields({ ...trial, contractRank: 'free' })).toMatchObject({ contractRank: 'invalidValue' });
    // Of a new trial the plan has a term; one that exists has a date.
    expect(refusedFields({ ...trial, partnerCode: 'T' }, { asksUnit: true, before: partner })).toEqual({
      licenseExpiredOn: 'required',
    });
  });

  it('asks for no end of a company that has none, unless another rank has a term', () => {
    const asked = (contractRank: 'free' | 'trial', licenseExpiredOn: string | null) => ({
      asksUnit: true,
      before: { ...partner, contractRank, licenseType: 'user' as const, licenseCount: 1, licenseExpiredOn },
    });
    for (const rank of ['free', 'trial'] as const) {
      const { asksUnit, before } = asked(rank, null);
      const values = { ...partnerValuesOf(before), name: 'Ume' };
      expect(refusedFields(values, { asksUnit, before })).toEqual({});
      expect(editedPartnerBody(values, { asksUnit, before: partnerValuesOf(before) })).toEqual({
        name: 'Ume',
      });
    }
    const values = { ...partnerValuesOf(partner), ...trial, partnerCode: 'T', licenseExpiredOn: '' };
    expect(refusedFields(values, asked('free', null))).toEqual({ licenseExpiredOn: 'required' });
    expect(refusedFields(values, asked('trial', '2026-11-30T00:00:00Z'))).toEqual({
      licenseExpiredOn: 'required',
    });
  });

  it('checks the device limit only where licences can count devices', () => {
    const values = { ...partnerValuesOf(partner), userDeviceLimit: '1001' };
    expect(refusedFields(values)).toEqual({ userDeviceLimit: 'outOfRange' });
    expect(refusedFields({ ...values, contractRank: 'entry', licenseType: 'user' })).toEqual({});
  });

  it('refuses codes, addresses and JSON of another form', () => {
    const wrong = {
      partnerCode: 'a b',
      email: 'nobody',
      managers: 'a@example.com\nb',
      json: '{',
      uapFileLimit: '-1',
    };
    expect(Object.keys(refusedFields({ ...trial, ...wrong })).sort()).toEqual(Object.keys(wrong).sort());
    expect(refusedFields({ ...trial, partnerCode: '' }, { asksUnit: true, before: partner })).toHaveProperty(
      'partnerCode',
    );
  });
});

describe('another rank', () => {
  it('brings the numbers of its plan, unless others were typed', () => {
    expect(trial).toMatchObject({ licenseCount: '5', uapFileLimit: '1', licenseType: 'user' });
    expect(withRank(trial, 'standard').licenseCount).toBe('200');
    expect(withRank({ ...trial, licenseCount: '3' }, 'standard').licenseCount).toBe('3');
    expect(withRank({ ...trial, licenseCount: '300', contractRank: 'entry' }, 'trial').licenseCount).toBe(
      '5',
    );
  });

  it('takes the licence type and the device limit away that its plan does not know', () => {
    expect(withRank(partnerValuesOf(partner), 'entry')).toMatchObject({
      licenseType: 'user',
      userDeviceLimit: '0',
    });
    expect(withRank(partnerValuesOf(partner), 'enterprise')).toMatchObject({
      licenseType: 'device',
      userDeviceLimit: '3',
    });
  });

  it('can be free only for who is', () => {
    expect(rankRefusal('free', undefined)).toBe('onlySignUp');
    expect(rankRefusal('free', 'entry')).toBe('notBack');
    expect(rankRefusal('free', 'free')).toBeUndefined();
    expect(rankRefusal('entry', 'free')).toBeUndefined();
  });

  it('is told with what gets lost', () => {
    expect(featuresLost('enterprise', 'entry')).toEqual([
      'push',
      'token',
      'certification',
      'doc-browsing',
      'sso',
    ]);
    expect(featuresLost('entry', 'enterprise')).toEqual([]);
  });
});

describe('what is sent', () => {
  it('leaves to the server what was left empty, and the unit to who may not choose it', () => {
    const body = newPartnerBody(trial, { asksUnit: true });
    expect(body).toMatchObject({ name: 'Ume', unitId: 1, contractRank: 'trial', licenseCount: 5 });
    for (const left of ['partnerCode', 'licenseExpiredOn', 'userDeviceLimit'])
      expect(body).not.toHaveProperty(left);
    expect(newPartnerBody(trial, { asksUnit: false })).not.toHaveProperty('unitId');
    expect(newPartnerBody(withRank(trial, 'entry'), { asksUnit: true })).toMatchObject({
      licenseExpiredOn: null,
    });
  });

  it('is of an edited company what has changed alone', () => {
    const values = partnerValuesOf(partner);
    const before = values;
    expect(editedPartnerBody(values, { asksUnit: true, before })).toEqual({});
    expect(
      editedPartnerBody({ ...values, licenseCount: '100', unitId: 7 }, { asksUnit: false, before }),
    ).toEqual({ licenseCount: 100 });
    expect(editedPartnerBody({ ...values, licenseExpiredOn: '' }, { asksUnit: true, before })).toEqual({
      licenseExpiredOn: null,
    });
    expect(managersOf(' a@example.com、b@example.com\n\nc@example.com,')).toBe(
      'a@example.com, b@example.com, c@example.com',
    );
  });
});

describe('the end of a contract', () => {
  it('lets people sign in for one day more', () => {
    const end = '2026-11-30T00:00:00Z';
    const at = (now: string) => effectOfEnd(end, new Date(now));
    expect(at('2026-11-24T00:00:00Z')).toEqual({ state: 'ends', last: '2026-12-01T00:00:00Z' });
    expect(at('2026-11-30T12:00:00Z').state).toBe('endsInGrace');
    expect(at('2026-12-01T00:00:00Z').state).toBe('isOver');
  });

  it('is a month later the same day, or the last of a shorter month', () => {
    const local = (time: string) => new Date(time).toString().slice(4, 15);
    expect(local(monthsLater(1, new Date(2026, 10, 24, 9)))).toBe('Dec 24 2026');
    expect(local(monthsLater(1, new Date(2027, 0, 31, 9)))).toBe('Feb 28 2027');
    expect(local(monthsLater(12, new Date(2026, 10, 24, 9)))).toBe('Nov 24 2027');
  });
});
