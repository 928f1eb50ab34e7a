import { tenantEvents } from '@portal/contracts';
import { keptPartners } from '@portal/service-kit';

export const { keepPartner, knowPartner } = keptPartners(
  tenantEvents.partnerState.pick({
    partnerId: true,
    unitId: true,
    contractRank: true,
    operationLogDownloadFlag: true,
  }),
);
