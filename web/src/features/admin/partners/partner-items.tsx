import { chakra } from '@chakra-ui/react';
import { addressesIn, type ContractRank, plans } from '@portal/contracts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format.ts';
import { useAdminSession } from '../../../lib/session/use-session.ts';
import type { Flow } from '../../../ui/flow/flow.tsx';
import { changedItem, type DescriptionItem } from '../../../ui/page/description-list.tsx';
import { EndEffect } from './licence-help.tsx';
import type { PartnerValues } from './partner-flows.ts';
import { useFeatureWords, usePartnerLabels } from './partner-form.tsx';
import { countsDevices, featuresLost, managersOf, type PartnerDetail } from './partner-rules.ts';
import { useUnit } from './unit-choices.ts';
import { useHasSso } from './use-has-sso.ts';

/** What the confirmation shows; with what was before, changes are marked. */
export function usePartnerItems(
  values: PartnerValues,
  before: PartnerValues | undefined,
): readonly DescriptionItem[] {
  const { t } = useTranslation(['partnerForm', 'partners', 'ui', 'auth']);
  const { dateTime, number } = useFormat();
  const labels = usePartnerLabels();
  const { outsourcingFlag } = useAdminSession();

  const orNone = (text: string) => (text === '' ? t('ui:none') : text);
  const onOrOff = (flag: boolean) => t(flag ? 'partners:on' : 'partners:off');
  const createdOrNot = (flag: boolean) => t(flag ? 'demoUsersCreated' : 'demoUsersNotCreated');
  const counted = (typed: string) => number(Number(typed));
  const limit = (typed: string) => (Number(typed) === 0 ? t('partners:unlimited') : counted(typed));
  const rankName = (rank: ContractRank | '') => (rank === '' ? t('ui:none') : t(`auth:ranks.${rank}`));
  const end = (time: string) => {
    if (time !== '') return dateTime(time);
    // Of a new company alone the plan says the end.
    const term = before || values.contractRank === '' ? null : plans[values.contractRank].termMonths;
    return term === null ? t('partners:noExpiry') : t('byPlan');
  };
  /** Of a field, with what it was before. */
  const item = <F extends keyof PartnerValues>(
    field: F,
    shown: (value: PartnerValues[F]) => ReactNode,
    of: (all: PartnerValues) => PartnerValues[F] = (all) => all[field],
  ) => changedItem(labels[field], of(values), before && of(before), shown);

  const expiry = item('licenseExpiredOn', end);
  return [
    item('name', orNone),
    item('partnerCode', (code) => (code === '' ? t('codeAssigned') : code)),
    ...(outsourcingFlag ? [] : [item('unitId', (id) => <UnitName id={id} />)]),
    item('contractRank', rankName),
    item('licenseType', (type) => t(`auth:licenseTypes.${type}`)),
    item('licenseCount', counted),
    {
      ...expiry,
      value: (
        <>
          {expiry.value}
          {values.licenseExpiredOn !== '' && (
            <chakra.span display="block" fontSize="xs" color="fg.muted">
              <EndEffect expiredOn={values.licenseExpiredOn} />
            </chakra.span>
          )}
        </>
      ),
    },
    ...(countsDevices(values.contractRank) ? [item('userDeviceLimit', limit)] : []),
    item('uapFileLimit', limit),
    { ...item('filePublicFlag', onOrOff), label: t('partners:filePublic') },
    { ...item('operationLogDownloadFlag', onOrOff), label: t('partners:operationLog') },
    item('email', orNone),
    item(
      'managers',
      (managers) => addressesIn(managers).join('\n') || t('ui:none'),
      (all) => managersOf(all.managers),
    ),
    item('lang', (lang) => t(`partners:languages.${lang}`)),
    item('timeZone', orNone),
    item('partnerItem', orNone),
    item('comment', orNone),
    item('json', orNone),
    ...(before ? [] : [{ ...item('createDemoUsers', createdOrNot), label: t('demoUsers') }]),
  ];
}

function UnitName({ id }: { id: number }) {
  return useUnit(id)?.unitName ?? id;
}

/** What is to be known before a change is saved. */
export function usePartnerWarnings(
  { before, values }: Pick<Flow<PartnerValues>, 'before' | 'values'>,
  partner: PartnerDetail | undefined,
): readonly string[] {
  const { t } = useTranslation('partnerForm');
  const wordsOf = useFeatureWords();
  const isCodeChanged = values?.partnerCode !== before?.partnerCode;
  const changesEntityId = useHasSso(isCodeChanged ? partner : undefined);
  if (!values || !before || before.contractRank === '') return [];
  const { contractRank, partnerCode, unitId } = values;
  const lost = contractRank === '' ? [] : featuresLost(before.contractRank, contractRank);
  return [
    ...(isCodeChanged ? [t('codeChanges', { code: partnerCode })] : []),
    ...(changesEntityId ? [t('codeChangesEntityId')] : []),
    ...(unitId === before.unitId ? [] : [t('unitMoves')]),
    ...(lost.length === 0 ? [] : [t('featuresLost', { features: wordsOf(lost) })]),
  ];
}
