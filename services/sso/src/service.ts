import { createKeyCipher, defineService } from '@portal/service-kit';
import { type Config, config } from './config.ts';
import { PrismaClient, type SsoDb } from './data/db.ts';
import { contractReader, knowPartner } from './data/partner-repository.ts';
import { partnerRows } from './data/partner-rows.ts';
import type { Dependencies } from './dependencies.ts';
import { subscriptions } from './events/subscriptions.ts';
import { createMetadataFetcher } from './identity-provider/http/fetch-metadata.ts';
import { jobs } from './jobs.ts';
import { createSamlReader } from './saml/saml-reader.ts';
import { scimRoutesOf } from './scim/http/scim.routes.ts';
import { metadataRoutes } from './service-provider/http/metadata.routes.ts';
import { settingsRoutes } from './settings/http/settings.routes.ts';
import { signInRoutes } from './sign-in/http/sign-in.routes.ts';
import { tokensRoutes } from './tokens/http/tokens.routes.ts';
import { verifyToken } from './tokens/use-cases/verify-token.ts';

/** Single sign-on of tenants by SAML 2.0, and the provisioning of their people by SCIM 2.0. */
export const ssoService = defineService<SsoDb, Config>({
  name: 'sso',
  config,
  directory: new URL('../', import.meta.url),
  prismaClient: PrismaClient,
  partnerRows,
  create(context) {
    const { clock, config, logger, peers, seals, store } = context;
    const { acceptsLoopback, keyEncryptionKeys, publicUrl, redirectSchemes } = config;
    const deps: Dependencies = {
      acceptsLoopback,
      cipher: createKeyCipher(...keyEncryptionKeys),
      clock,
      fetchMetadata: createMetadataFetcher({ acceptsLoopback }),
      logger,
      peers,
      publicUrl,
      redirectSchemes,
      samlReader: createSamlReader(),
      seals,
      store,
    };
    return {
      routes: [
        ...settingsRoutes(deps),
        ...metadataRoutes(deps),
        ...signInRoutes(deps),
        ...tokensRoutes(deps),
        ...scimRoutesOf(deps),
      ],
      subscriptions: subscriptions(deps),
      jobs: jobs(deps),
      tenantOfKey: async (token, scope) => verifyToken(deps, token, scope),
      contractOf: contractReader(deps),
      unitOf: async (partnerId) => (await knowPartner(deps, partnerId)).unitId,
      close: async () => deps.samlReader.close(),
    };
  },
});
