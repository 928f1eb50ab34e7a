import { entityIdOf, entityKeyOf, ssoAddressesOf, ssoRoutes, ssoSignInRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useTenant, useTenantCrumbs } from '../../../components/tenant.ts';
import { usePartner } from '../../../components/use-partner-crumbs.ts';
import { useApi, useApiQuery } from '../../../lib/api.ts';
import { editLink } from '../../../lib/edit-link.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import type { Crumb } from '../../../ui/page/page-header.tsx';
import { ssoPaths, tenantSsoPaths } from './sso-paths.ts';
import type { editedSsoBody, SsoSetting, ssoBody } from './sso-rules.ts';

/** The setting of the company that the page is about. */
export function useSsoSetting() {
  const { id: pid, isOwn } = useTenant();
  return useApiQuery(isOwn ? ssoRoutes.getSso : ssoRoutes.getPartnerSso, { params: { pid } });
}

/** The ways among the pages of single sign-on. */
export function useSsoLinks() {
  const { id, isOwn, name } = useTenant();
  const to = (page: keyof typeof ssoPaths) =>
    isOwn ? ssoPaths[page] : editLink(tenantSsoPaths[page], id, name);
  return { toHome: to('home'), toForm: to('form') };
}

/** From home to single sign-on, and the page below it. */
export function useSsoCrumbs(here?: string): readonly Crumb[] {
  const { t } = useTranslation('sso');
  const { toHome } = useSsoLinks();
  const before = useTenantCrumbs();
  const title = t('title');
  return here === undefined
    ? [...before, { label: title }]
    : [...before, { label: title, to: toHome }, { label: here }];
}

type Body = Awaited<ReturnType<typeof ssoBody>>;
type EditedBody = Awaited<ReturnType<typeof editedSsoBody>>;

/** What is done with the setting; what changes with it is asked for again. */
export function useSsoCalls() {
  const { id: pid, isOwn } = useTenant();
  const api = useApi();
  const queries = useQueryClient();
  const params = { pid };
  return {
    create: (body: Body, idempotencyKey: string) =>
      api.call(isOwn ? ssoRoutes.createSso : ssoRoutes.createPartnerSso, { params, body, idempotencyKey }),
    update: (body: EditedBody) =>
      api.call(isOwn ? ssoRoutes.updateSso : ssoRoutes.updatePartnerSso, { params, body }),
    remove: () => api.call(ssoRoutes.deletePartnerSso, { params }),
    beginTest: () =>
      api.call(isOwn ? ssoSignInRoutes.beginSsoTest : ssoSignInRoutes.beginPartnerSsoTest, { params }),
    changed: () =>
      Promise.all(
        [ssoRoutes.getSso, ssoRoutes.getPartnerSso].map(({ id }) =>
          queries.invalidateQueries({ queryKey: [id] }),
        ),
      ),
  };
}

export interface ProviderValues {
  readonly entityId: string;
  readonly acsUrl: string;
  readonly sloUrl: string;
  readonly spMetadataUrl: string;
  readonly scimUrl: string;
}

/** What is entered at the identity provider, also before the first save; undefined until it is known. */
export function useProviderValues(setting: SsoSetting | undefined): ProviderValues | undefined {
  const { id, isOwn, name } = useTenant();
  const session = useSession();
  const { partner } = usePartner({ id: isOwn ? 0 : id, name });
  const partnerCode = session?.kind === 'partner' ? session.partner.partnerCode : partner?.partnerCode;
  if (partnerCode === undefined) return undefined;
  // What the server says of itself goes before the address at which somebody happens to look at it.
  const origin = setting ? new URL(setting.acsUrl).origin : window.location.origin;
  return {
    entityId: setting?.entityId ?? entityIdOf(origin, entityKeyOf(partnerCode, null)),
    ...ssoAddressesOf(origin, partnerCode),
    ...(setting && { acsUrl: setting.acsUrl, spMetadataUrl: setting.spMetadataUrl }),
    scimUrl: `${origin}/scim/v2/${id}`,
  };
}
