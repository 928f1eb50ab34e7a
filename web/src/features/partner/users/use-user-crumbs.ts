import { useTranslation } from 'react-i18next';
import { userDetailPath, userListPath } from '../../../components/users/user.ts';
import { editLink } from '../../../lib/edit-link.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import type { Crumb } from '../../../ui/page/page-header.tsx';

/** Home, the list, the user whom a page below theirs is about, and the page itself. */
export function useUserCrumbs(here: string, user?: { id: number; name: string }): Crumb[] {
  const { t } = useTranslation(['users', 'shell']);
  const { partner } = usePartnerSession();
  return [
    { label: t('shell:home'), to: '/partner/menu' },
    { label: t('title'), to: userListPath },
    ...(user ? [{ label: user.name, to: editLink(userDetailPath, user.id, partner.name) }] : []),
    { label: here },
  ];
}
