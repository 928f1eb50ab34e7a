import { limits } from './limits.ts';

export const contractRanks = ['free', 'trial', 'entry', 'standard', 'enterprise'] as const;
export type ContractRank = (typeof contractRanks)[number];

export const licenseTypes = ['user', 'device'] as const;
export type LicenseType = (typeof licenseTypes)[number];

export type ContractApi = 'group' | 'push' | 'token' | 'certification' | 'doc-browsing' | 'sso';

export interface Plan {
  readonly licenseTypes: readonly LicenseType[];
  /** Default number of licences; for free and trial also the maximum. */
  readonly licenses: number;
  readonly licensesAreFixed: boolean;
  /** Months until the licence ends, or null where each contract sets its own date. */
  readonly termMonths: number | null;
  /** Default limit of `.uap` files; 0 is unlimited. */
  readonly files: number;
  readonly apis: readonly ContractApi[];
}

/** What each contract rank includes (specification, section 3, plan table). */
export const plans: Readonly<Record<ContractRank, Plan>> = {
  free: {
    licenseTypes: ['user'],
    licenses: 1,
    licensesAreFixed: true,
    termMonths: 1,
    files: 1,
    apis: ['group', 'push', 'token'],
  },
  trial: {
    licenseTypes: ['user'],
    licenses: 5,
    licensesAreFixed: true,
    termMonths: 1,
    files: 1,
    apis: ['group', 'push', 'token'],
  },
  entry: {
    licenseTypes: ['user'],
    licenses: 20,
    licensesAreFixed: false,
    termMonths: null,
    files: 1,
    apis: ['group'],
  },
  standard: {
    licenseTypes: ['user', 'device'],
    licenses: 200,
    licensesAreFixed: false,
    termMonths: null,
    files: 1,
    apis: ['group', 'push', 'sso'],
  },
  enterprise: {
    licenseTypes: ['user', 'device'],
    licenses: 600,
    licensesAreFixed: false,
    termMonths: null,
    files: 1,
    apis: ['group', 'push', 'token', 'certification', 'doc-browsing', 'sso'],
  },
};

/** A licence expires one day after `expiredOn`, at that time in UTC; without a date it never expires. */
export function isLicenceOver(expiredOn: Date | null, now: Date): boolean {
  return expiredOn !== null && now.getTime() >= expiredOn.getTime() + limits.licenceGracePeriod;
}
