import { useTranslation } from 'react-i18next';
import { useTenantCrumbs, useTenantLinks } from '../../../components/tenant.ts';
import type { Crumb } from '../../../ui/page/page-header.tsx';

/** Home, the list, and the page itself. */
export function useFileCrumbs(here: string): Crumb[] {
  const { t } = useTranslation('files');
  const { toList } = useTenantLinks();
  return [...useTenantCrumbs(), { label: t('title'), to: toList('files') }, { label: here }];
}
