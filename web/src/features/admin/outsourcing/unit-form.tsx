import { limits, type RouteReply, type tenantRoutes } from '@portal/contracts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { partnerChoices, usePartnerName } from '../../../components/partner-choices.ts';
import { RecordForm } from '../../../components/record/record-form-pages.tsx';
import { unitPaths } from '../../../components/unit-links.ts';
import { useFormat } from '../../../lib/format.ts';
import { useFlowForm } from '../../../ui/flow/flow.tsx';
import { ComboboxField } from '../../../ui/form/combobox-field.tsx';
import { CheckboxField, TextField } from '../../../ui/form/fields.tsx';
import { changedItem, type DescriptionItem } from '../../../ui/page/description-list.tsx';
import { type UnitValues, unitSchema } from './unit-rules.ts';

export type UnitDetail = RouteReply<typeof tenantRoutes.getUnit> & {
  readonly id: number;
  readonly name: string;
};

function useUnitLabels() {
  const { t } = useTranslation('units');
  return {
    name: t('name'),
    allocatedLicense: t('allocatedLicense'),
    ownerPartnerid: t('ownerPartnerid'),
    canForceDistributeApp: t('canForceDistribute'),
  };
}

interface UnitFormProps {
  initial: UnitValues;
  record?: UnitDetail | undefined;
}

/** The form of a new unit, and of one that is edited. */
export function UnitForm({ initial, record: unit }: UnitFormProps) {
  const { t } = useTranslation('units');
  const { number } = useFormat();
  const consumed = unit?.consumedLicense ?? 0;
  const schema = useMemo(() => unitSchema(consumed), [consumed]);
  const form = useFlowForm<UnitValues>(schema, initial, useUnitLabels());
  const bounds = { consumed: number(consumed), max: number(limits.maxAllocatedLicense) };
  return (
    <RecordForm form={form} paths={unitPaths}>
      <TextField {...form.field('name')} required />
      <TextField
        {...form.field('allocatedLicense')}
        required
        inputMode="numeric"
        width="12rem"
        help={t(consumed > 0 ? 'allocatedFrom' : 'allocatedHelp', bounds)}
      />
      <ComboboxField
        {...form.field('ownerPartnerid')}
        source={partnerChoices}
        none={0}
        noneLabel={t('noOwner')}
        help={t('ownerHelp')}
      />
      <CheckboxField {...form.field('canForceDistributeApp')} help={t('canForceDistributeHelp')} />
    </RecordForm>
  );
}

/** The company that owns a unit. */
export function OwnerName({ id }: { id: number }) {
  const { t } = useTranslation('units');
  const name = usePartnerName(id);
  return id === 0 ? t('noOwner') : name;
}

/** What the confirmation shows; with what was before, changes are marked. */
export function useUnitItems(values: UnitValues, before?: UnitValues): DescriptionItem[] {
  const { t } = useTranslation('units');
  const { number } = useFormat();
  const labels = useUnitLabels();
  return [
    changedItem(labels.name, values.name, before?.name, (name) => name),
    changedItem(
      labels.allocatedLicense,
      Number(values.allocatedLicense),
      before && Number(before.allocatedLicense),
      number,
    ),
    changedItem(labels.ownerPartnerid, values.ownerPartnerid, before?.ownerPartnerid, (id) => (
      <OwnerName id={id} />
    )),
    changedItem(
      t('canForceDistributeApp'),
      values.canForceDistributeApp,
      before?.canForceDistributeApp,
      (isAllowed) => t(isAllowed ? 'allowed' : 'refused'),
    ),
  ];
}
