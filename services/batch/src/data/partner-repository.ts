import { tenantEvents } from '@portal/contracts';
import { copyOfPartners } from '@portal/service-kit';

export const {
  contractReader,
  knowPartner,
  subscriptions: partnerSubscriptions,
} = copyOfPartners(
  tenantEvents.partnerState.pick({
    partnerId: true,
    unitId: true,
    contractRank: true,
    licenseExpiredOn: true,
    operationLogDownloadFlag: true,
  }),
);
