import type { ContractRank, LicenseType } from '@portal/contracts';
import { newPartnerPath, partnerEditPath, partnerListPath } from '../../../components/partner-links.ts';
import type { FlowDefinition } from '../../../ui/flow/flow-store.ts';

export type PartnerValues = {
  name: string;
  partnerCode: string;
  /** 0 until one is chosen. */
  unitId: number;
  /** Empty until one is chosen. */
  contractRank: ContractRank | '';
  licenseType: LicenseType;
  /** As typed, like the other numbers. */
  licenseCount: string;
  /** A time of the wire; empty without an end. */
  licenseExpiredOn: string;
  userDeviceLimit: string;
  uapFileLimit: string;
  filePublicFlag: boolean;
  operationLogDownloadFlag: boolean;
  email: string;
  managers: string;
  lang: 'ja' | 'en';
  timeZone: string;
  partnerItem: string;
  comment: string;
  json: string;
  /** Of a new company alone. */
  createDemoUsers: boolean;
};

export const partnerCreateFlow: FlowDefinition<PartnerValues> = {
  name: 'partner-create',
  paths: {
    form: newPartnerPath,
    confirm: `${partnerListPath}/confirm`,
    complete: `${partnerListPath}/complete`,
  },
};

export const partnerEditFlow: FlowDefinition<PartnerValues> = {
  name: 'partner-edit',
  paths: {
    form: partnerEditPath,
    confirm: `${partnerEditPath}confirm/`,
    complete: `${partnerEditPath}complete/`,
  },
};
