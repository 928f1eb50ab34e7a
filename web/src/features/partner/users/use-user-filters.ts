import { useTranslation } from 'react-i18next';
import type { Filter } from '../../../ui/list/search-panel.tsx';
import { usePickableGroups } from '../groups/use-pickable-groups.ts';

export const noUserFilters = {
  name: '',
  /** Not `id`: in the address of a detail that is the record shown. */
  userId: '',
  loginId: '',
  group: '',
  groupUnset: '',
  osType: '',
  osVersion: '',
  playerVersion: '',
  createdAtStart: '',
  createdAtEnd: '',
  loginAtStart: '',
  loginAtEnd: '',
};
export type UserFilters = typeof noUserFilters;

/** How players call the systems that they run on. */
const osTypes = { ios: 'iOS', android: 'Android', windows: 'Windows', macos: 'macOS', linux: 'Linux' };

export function useUserFilters(): { readonly [K in keyof UserFilters]: Filter } {
  const { t } = useTranslation('users');
  const groups = usePickableGroups();
  return {
    name: { kind: 'text', label: t('name') },
    userId: { kind: 'number', label: t('id') },
    loginId: { kind: 'text', label: t('loginId') },
    group: {
      kind: 'choice',
      label: t('group'),
      options: (groups.data ?? []).map(({ id, title }) => ({ value: String(id), label: title })),
    },
    groupUnset: {
      kind: 'choice',
      label: t('filters.groupUnset'),
      options: [{ value: 'true', label: t('filters.groupUnsetOnly') }],
    },
    osType: {
      kind: 'choice',
      label: t('filters.osType'),
      options: Object.entries(osTypes).map(([value, label]) => ({ value, label })),
    },
    osVersion: { kind: 'text', label: t('filters.osVersion') },
    playerVersion: { kind: 'text', label: t('filters.playerVersion') },
    createdAtStart: { kind: 'time', label: t('filters.createdAtStart') },
    createdAtEnd: { kind: 'time', label: t('filters.createdAtEnd') },
    loginAtStart: { kind: 'time', label: t('filters.loginAtStart') },
    loginAtEnd: { kind: 'time', label: t('filters.loginAtEnd') },
  };
}
