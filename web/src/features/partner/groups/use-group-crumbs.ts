import { useTranslation } from 'react-i18next';
import type { Crumb } from '../../../ui/page/page-header.tsx';
import { groupListPath } from './group-flows.ts';

/** Home, the list, and the page itself. */
export function useGroupCrumbs(here: string): Crumb[] {
  const { t } = useTranslation(['groups', 'shell']);
  return [
    { label: t('shell:home'), to: '/partner/menu' },
    { label: t('title'), to: groupListPath },
    { label: here },
  ];
}
