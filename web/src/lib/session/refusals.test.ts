import { type AccessList, contractRanks, plans } from '@portal/contracts';
import { describe, expect, it } from 'vitest';
import type { PartnerSession } from './session-store.ts';
import { refusalOf } from './use-session.ts';

const apis = ['group', 'push', 'token', 'certification', 'doc-browsing', 'sso'] as const;
const admin = 268_435_456;

const needing = (api: (typeof apis)[number]): AccessList => [{ kind: 'partner', roles: admin, api }];
const session = (contractRank: PartnerSession['partner']['contractRank'], role = admin): PartnerSession => ({
  kind: 'partner',
  expiresAt: 0,
  partner: {
    id: 1,
    name: '',
    partnerCode: '',
    licenseExpiredOnUnixtime: null,
    contractRank,
    licenseType: 'user',
  },
  user: { id: 1, name: '', email: '', role, groups: [] },
  twoFactorSetup: false,
});

describe('what a plan has', () => {
  it.each(contractRanks)('decides what %s may call, for whom the role allows it', (rank) => {
    for (const api of apis) {
      const expected = plans[rank].apis.includes(api) ? undefined : 'E40304';
      expect(refusalOf(session(rank), needing(api))).toBe(expected);
      expect(refusalOf(session(rank, 16), needing(api))).toBe('E40301');
    }
  });

  it('is as the table of the specification says', () => {
    expect(Object.fromEntries(contractRanks.map((rank) => [rank, plans[rank].apis]))).toEqual({
      free: ['group', 'push', 'token'],
      trial: ['group', 'push', 'token'],
      entry: ['group'],
      standard: ['group', 'push', 'sso'],
      enterprise: apis,
    });
  });
});
