import { useTranslation } from 'react-i18next';
import { editLink } from '../../../lib/edit-link.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import type { Crumb } from '../../../ui/page/page-header.tsx';
import { groupDetailPath, groupListPath } from './group-flows.ts';

/** Home, the list, the group that a page below its own is about, and the page itself. */
export function useGroupCrumbs(here: string, group?: { id: number; name: string }): Crumb[] {
  const { t } = useTranslation(['groups', 'shell']);
  const { partner } = usePartnerSession();
  return [
    { label: t('shell:home'), to: '/partner/menu' },
    { label: t('title'), to: groupListPath },
    ...(group ? [{ label: group.name, to: editLink(groupDetailPath, group.id, partner.name) }] : []),
    { label: here },
  ];
}
