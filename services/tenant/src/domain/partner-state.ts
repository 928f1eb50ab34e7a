import { type EventData, formatNullableDateTime, type tenantEvents } from '@portal/contracts';
import type { Contract } from './partner.ts';

/** What other services are told of a partner. */
export function partnerStateOf(
  partnerId: number,
  contract: Contract,
): EventData<typeof tenantEvents.partnerCreated> {
  return {
    partnerId,
    unitId: contract.unitId,
    name: contract.name,
    partnerCode: contract.partnerCode,
    contractRank: contract.contractRank,
    licenseType: contract.licenseType,
    licenseCount: contract.licenseCount,
    licenseExpiredOn: formatNullableDateTime(contract.licenseExpiredOn),
    userDeviceLimit: contract.userDeviceLimit,
    uapFileLimit: contract.uapFileLimit,
    operationLogDownloadFlag: contract.operationLogDownloadFlag,
    lang: contract.lang,
  };
}
