import { useTranslation } from 'react-i18next';
import type { Crumb } from '../../../ui/page/page-header.tsx';
import { userListPath } from './user-flows.ts';

/** Home, the list, and the page itself. */
export function useUserCrumbs(here: string): Crumb[] {
  const { t } = useTranslation(['users', 'shell']);
  return [
    { label: t('shell:home'), to: '/partner/menu' },
    { label: t('title'), to: userListPath },
    { label: here },
  ];
}
