import { type EventData, formatNullableDateTime, type tenantEvents } from '@portal/contracts';
import type { Contract } from './partner.ts';

/** The data of a partner for other services. */
export function partnerStateOf(
  partnerId: number,
  contract: Omit<Contract, 'comment' | 'email' | 'json' | 'managers' | 'partnerItem'> & {
    readonly partnerCode: string;
    readonly revision: number;
  },
): EventData<typeof tenantEvents.partnerCreated> {
  return {
    partnerId,
    revision: contract.revision,
    unitId: contract.unitId,
    name: contract.name,
    partnerCode: contract.partnerCode,
    contractRank: contract.contractRank,
    licenseType: contract.licenseType,
    licenseCount: contract.licenseCount,
    licenseExpiredOn: formatNullableDateTime(contract.licenseExpiredOn),
    userDeviceLimit: contract.userDeviceLimit,
    uapFileLimit: contract.uapFileLimit,
    filePublicFlag: contract.filePublicFlag,
    operationLogDownloadFlag: contract.operationLogDownloadFlag,
    lang: contract.lang,
    timeZone: contract.timeZone,
  };
}
