import { tenantRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useApiQuery } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { useSettled } from '../../../lib/use-settled.ts';
import type { ChoiceSource } from '../../../ui/form/combobox-field.tsx';

const perPage = 20;

/** A unit with its licences; nothing for 0. */
export function useUnit(id: number) {
  return useApiQuery(tenantRoutes.getUnit, { params: { id } }, { enabled: id !== 0 }).data;
}

/** The units of the platform, to choose one of them by name. */
export const unitChoices: ChoiceSource = {
  useNameOf: (id) => useUnit(id)?.unitName,
  useFound(typed, isOpen) {
    const { t } = useTranslation('partnerForm');
    const { number } = useFormat();
    const q = useSettled(typed);
    const { data, error, isFetching } = useApiQuery(
      tenantRoutes.listUnits,
      { query: { q, page: 1, perPage, orderKey: 'name', order: 'asc' } },
      { enabled: isOpen },
    );
    const units = q === typed ? (data?.units ?? []) : [];
    return {
      choices: units.map(({ allocatedLicense, consumedLicense, unitId, unitName }) => ({
        id: unitId,
        name: unitName,
        hint: t('unitLeft', { left: number(allocatedLicense - consumedLicense) }),
      })),
      isSearching: q !== typed || isFetching,
      error,
    };
  },
};
