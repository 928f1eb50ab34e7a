import { userRoutes } from '@portal/contracts';
import { useApiQuery } from '../../lib/api.ts';
import { useSettled } from '../../lib/use-settled.ts';
import type { ChoiceSource } from '../../ui/form/combobox-field.tsx';
import { useTenant } from '../tenant.ts';

const perPage = 20;

/** The name of a group of the company; of one that is gone its number. */
export function useGroupName(id: number): string | undefined {
  const { id: pid } = useTenant();
  const { data, error } = useApiQuery(userRoutes.getGroup, { params: { pid, id } }, { enabled: id !== 0 });
  return data?.name ?? (error ? String(id) : undefined);
}

/** The groups of the company that the page is about, to choose one of them by name. */
export const groupChoices: ChoiceSource = {
  useNameOf: useGroupName,
  useFound(typed, isOpen) {
    const { id: pid } = useTenant();
    const q = useSettled(typed);
    const { data, error, isFetching } = useApiQuery(
      userRoutes.listGroups,
      { params: { pid }, query: { q, page: 1, perPage, orderKey: 'name', order: 'asc' } },
      { enabled: isOpen },
    );
    const groups = data && 'totalCount' in data && q === typed ? data.groups : [];
    return {
      choices: groups.map(({ id, name }) => ({ id, name })),
      isSearching: q !== typed || isFetching,
      error,
    };
  },
};
