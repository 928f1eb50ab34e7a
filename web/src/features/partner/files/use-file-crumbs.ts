import { useTranslation } from 'react-i18next';
import type { Crumb } from '../../../ui/page/page-header.tsx';
import { fileListPath } from './file-flows.ts';

/** Home, the list, and the page itself. */
export function useFileCrumbs(here: string): Crumb[] {
  const { t } = useTranslation(['files', 'shell']);
  return [
    { label: t('shell:home'), to: '/partner/menu' },
    { label: t('title'), to: fileListPath },
    { label: here },
  ];
}
