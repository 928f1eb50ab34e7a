import { useTranslation } from 'react-i18next';
import type { Crumb } from '../../../ui/page/page-header.tsx';
import { adminListPath } from './admin-flows.ts';

/** Home, the list, and the page itself. */
export function useAdminCrumbs(here: string): Crumb[] {
  const { t } = useTranslation(['companyAdmins', 'shell']);
  return [
    { label: t('shell:home'), to: '/partner/menu' },
    { label: t('title'), to: adminListPath },
    { label: here },
  ];
}
