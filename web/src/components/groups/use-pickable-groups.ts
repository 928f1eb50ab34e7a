import { userRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useApiQuery } from '../../lib/api.ts';
import type { Option } from '../../ui/form/controls.tsx';
import { useTenant } from '../tenant.ts';
import { useRoleName } from './group.ts';
import type { PickableGroup } from './group-picker.tsx';

/** Every group of the tenant as it is chosen from: with its role, as in `Sales (User)`. */
export function usePickableGroups() {
  const { t } = useTranslation('groups');
  const { id: pid } = useTenant();
  const roleName = useRoleName();
  const { data, error, isFetching, refetch } = useApiQuery(userRoutes.listGroups, {
    params: { pid },
    query: { all: true },
  });
  const groups: readonly PickableGroup[] | undefined = data?.groups.map(({ id, name, role }) => ({
    id,
    title: t('withRole', { name, role: roleName(role) }),
  }));
  return { data: groups, error, isFetching, refetch };
}

/** The same as what a filter by group offers. */
export function useGroupOptions(): readonly Option[] {
  const { data = [] } = usePickableGroups();
  return data.map(({ id, title }) => ({ value: String(id), label: title }));
}

/** The same with everyone before them, for lists of what groups receive. */
export function useReceiverOptions(): readonly Option[] {
  const { t } = useTranslation('files');
  return [{ value: '0', label: t('everyone') }, ...useGroupOptions()];
}
