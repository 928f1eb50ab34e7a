import { userRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../lib/session/use-session.ts';
import type { Filter } from '../../ui/list/filter.ts';
import { useGroupOptions } from '../groups/use-pickable-groups.ts';
import { osTypes } from './os-types.ts';

/** What each filter takes; of the groups any number, as they are known later. */
export const userFilters = {
  q: 'text',
  name: 'text',
  /** Not `id`: in the address of a detail that is the record shown. */
  userId: 'number',
  loginId: 'text',
  group: 'number',
  groupUnset: ['true'],
  passwordState: userRoutes.passwordStates,
  state: userRoutes.userStates,
  osType: Object.keys(osTypes),
  osVersion: 'text',
  playerVersion: 'text',
  createdAtStart: 'time',
  createdAtEnd: 'time',
  loginAtStart: 'time',
  loginAtEnd: 'time',
} as const;
export type UserFilters = Record<keyof typeof userFilters, string>;

export function useUserFilters(): { readonly [K in Exclude<keyof UserFilters, 'q'>]?: Filter } {
  const { t } = useTranslation('users');
  const may = useMay();
  return {
    name: { kind: 'text', label: t('name') },
    userId: { kind: 'number', label: t('id') },
    loginId: { kind: 'text', label: t('loginId') },
    ...(may('listGroups') && { group: { kind: 'lookup', label: t('group'), useOptions: useGroupOptions } }),
    groupUnset: {
      kind: 'choice',
      label: t('filters.groupUnset'),
      options: [{ value: 'true', label: t('filters.groupUnsetOnly') }],
    },
    passwordState: {
      kind: 'choice',
      label: t('filters.passwordState'),
      options: userRoutes.passwordStates.map((state) => ({
        value: state,
        label: t(`passwordStates.${state}`),
      })),
    },
    state: {
      kind: 'choice',
      label: t('filters.state'),
      options: userRoutes.userStates.map((state) => ({ value: state, label: t(`states.${state}`) })),
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
