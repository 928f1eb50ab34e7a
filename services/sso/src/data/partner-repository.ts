import { tenantEvents } from '@portal/contracts';
import { copyOfPartners } from '@portal/service-kit';

export const {
  contractOf,
  findPartner,
  knowPartner,
  subscriptions: partnerSubscriptions,
} = copyOfPartners(
  tenantEvents.partnerState.pick({
    partnerId: true,
    unitId: true,
    partnerCode: true,
    contractRank: true,
    licenseExpiredOn: true,
  }),
);
