import { tenantRoutes } from '@portal/contracts';
import { useApiQuery } from '../lib/api.ts';
import { useSettled } from '../lib/use-settled.ts';
import type { ChoiceSource } from '../ui/form/combobox-field.tsx';

const perPage = 20;

/** Of one that is gone its number. */
export function usePartnerName(id: number): string | undefined {
  const request = { params: { pid: id } };
  const { data, error } = useApiQuery(tenantRoutes.getPartner, request, { enabled: id !== 0 });
  return data?.name ?? (error ? String(id) : undefined);
}

/** The companies that an administrator can see, or those of one unit, to choose one of them by name or code. */
export const partnerChoicesOf = (unitId?: number): ChoiceSource => ({
  useNameOf: usePartnerName,
  useFound(typed, isOpen) {
    const q = useSettled(typed);
    const { data, error, isFetching } = useApiQuery(
      tenantRoutes.listPartners,
      { query: { q, unitId, page: 1, perPage, orderKey: 'name', order: 'asc' } },
      { enabled: isOpen },
    );
    const partners = data && 'totalCount' in data && q === typed ? data.partners : [];
    return {
      choices: partners.map(({ id, name, partnerCode }) => ({ id, name, hint: partnerCode })),
      isSearching: q !== typed || isFetching,
      error,
    };
  },
});

export const partnerChoices = partnerChoicesOf();
