import { plans, ssoRoutes as routes } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { type Implementation, implement } from '@portal/service-kit';
import { findPartnerByCode } from '../../data/partner-repository.ts';
import type { Dependencies } from '../../dependencies.ts';
import { findEntityKey } from '../../settings/data/setting-repository.ts';
import { serviceProviderMetadata } from '../domain/metadata.ts';
import { requireCertificate } from '../use-cases/require-key.ts';

export function metadataRoutes(deps: Dependencies): Implementation[] {
  const { publicUrl, store } = deps;
  return [
    // Before the first save too: some providers are set up with it, and only then have metadata of their own.
    implement(routes.serviceProviderMetadata, async ({ query: { partnerCode } }, { systemScope }) => {
      const found = await store.read(systemScope('a tenant is looked for by its code'), async (db) => {
        const partner = await findPartnerByCode(db, partnerCode);
        return partner && { partner, entityKey: await findEntityKey(db, partner.partnerId) };
      });
      if (!found || !plans[found.partner.contractRank].apis.includes('sso')) throw new AppError('E40401');
      const certificate = await requireCertificate(deps, found.partner.partnerId);
      return {
        content: serviceProviderMetadata({
          certificate,
          entityKey: found.entityKey ?? partnerCode,
          partnerCode,
          publicUrl,
        }),
      };
    }),
  ];
}
