import { useTranslation } from 'react-i18next';
import { useTenantCrumbs, useTenantLinks } from '../../../components/tenant.ts';
import type { Crumb } from '../../../ui/page/page-header.tsx';

/** Home, the list, the user whom a page below theirs is about, and the page itself. */
export function useUserCrumbs(here: string, user?: { id: number; name: string }): Crumb[] {
  const { t } = useTranslation('users');
  const { toDetail, toList } = useTenantLinks();
  return [
    ...useTenantCrumbs(),
    { label: t('title'), to: toList('users') },
    ...(user ? [{ label: user.name, to: toDetail('users', user.id) }] : []),
    { label: here },
  ];
}
