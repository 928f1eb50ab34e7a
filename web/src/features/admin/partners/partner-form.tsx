import { Flex } from '@chakra-ui/react';
import { type ContractRank, licenseTypes, limits, plans } from '@portal/contracts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { partnerDetailLink, partnerListPath } from '../../../components/partner-links.ts';
import { useFormat } from '../../../lib/format.ts';
import { useAdminSession } from '../../../lib/session/use-session.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { useFlowForm } from '../../../ui/flow/flow.tsx';
import { ComboboxField } from '../../../ui/form/combobox-field.tsx';
import {
  CheckboxField,
  DateTimeField,
  FixedField,
  RadioField,
  TextareaField,
  TextField,
} from '../../../ui/form/fields.tsx';
import { Form, FormSection } from '../../../ui/form/form.tsx';
import { LicenceCountHelp, LicenceEndHelp, useUse } from './licence-help.tsx';
import type { PartnerValues } from './partner-flows.ts';
import {
  countsDevices,
  featuresLost,
  mayLast,
  monthsLater,
  type PartnerDetail,
  partnerSchema,
  withRank,
} from './partner-rules.ts';
import { RankField } from './rank-field.tsx';
import { timeZoneChoices } from './time-zone-choices.ts';
import { unitChoices } from './unit-choices.ts';
import { useHasSso } from './use-has-sso.ts';

export function usePartnerLabels() {
  const { t } = useTranslation('partnerForm');
  return {
    name: t('name'),
    partnerCode: t('partnerCode'),
    unitId: t('unit'),
    contractRank: t('rank'),
    licenseType: t('licenseType'),
    licenseCount: t('licenseCount'),
    licenseExpiredOn: t('licenseExpiredOn'),
    userDeviceLimit: t('userDeviceLimit'),
    uapFileLimit: t('uapFileLimit'),
    filePublicFlag: t('filePublicFlag'),
    operationLogDownloadFlag: t('operationLogDownloadFlag'),
    email: t('email'),
    managers: t('managers'),
    lang: t('lang'),
    timeZone: t('timeZone'),
    partnerItem: t('partnerItem'),
    comment: t('comment'),
    json: t('json'),
    createDemoUsers: t('createDemoUsers'),
  };
}

/** The features that a company loses with another plan, in words. */
export function useFeatureWords() {
  const { t } = useTranslation('partnerForm');
  return (features: ReturnType<typeof featuresLost>) =>
    features.map((one) => t(`plan.apis.${one}`)).join(t('plan.and'));
}

interface PartnerFormProps {
  initial: PartnerValues;
  /** The company that is edited; a new one without. */
  partner?: PartnerDetail | undefined;
}

/** The form of a new company and of one that is edited. */
export function PartnerForm({ initial, partner }: PartnerFormProps) {
  const { t } = useTranslation(['partnerForm', 'partners', 'ui', 'auth']);
  const { number } = useFormat();
  const { outsourcingFlag } = useAdminSession();
  const wordsOf = useFeatureWords();
  const use = useUse(partner);
  const asksUnit = !outsourcingFlag;
  const schema = useMemo(() => partnerSchema({ asksUnit, before: partner }), [asksUnit, partner]);
  const form = useFlowForm<PartnerValues>(schema, initial, usePartnerLabels());
  const { formState, getValues, setValue, watch } = form.form;
  const [rank, unitId, partnerCode, licenseCount, end] = watch([
    'contractRank',
    'unitId',
    'partnerCode',
    'licenseCount',
    'licenseExpiredOn',
  ]);
  const plan = rank === '' ? undefined : plans[rank];
  const lost = partner && rank !== '' ? featuresLost(partner.contractRank, rank) : [];
  const isCodeChanged = partner !== undefined && partnerCode !== partner.partnerCode;
  const changesEntityId = useHasSso(isCodeChanged ? partner : undefined);

  const set: typeof setValue = (name, value) =>
    setValue(name, value, { shouldValidate: formState.isSubmitted });
  const setEnd = (time: string) => set('licenseExpiredOn', time);
  const extend = (months: number) => setEnd(monthsLater(months, laterOf(end)));

  function chooseRank(chosen: ContractRank): void {
    const after = withRank(getValues(), chosen);
    set('contractRank', after.contractRank);
    set('licenseType', after.licenseType);
    set('licenseCount', after.licenseCount);
    set('uapFileLimit', after.uapFileLimit);
    set('userDeviceLimit', after.userDeviceLimit);
  }

  return (
    <Form
      form={form}
      submitLabel={t('ui:toConfirm')}
      onSubmit={form.flow.confirm}
      cancel={
        <ButtonLink
          to={partner ? partnerDetailLink(partner) : partnerListPath}
          size="md"
          variant="outline"
          colorPalette="gray"
        >
          {t('ui:cancel')}
        </ButtonLink>
      }
    >
      <FormSection title={t('sections.basics')}>
        <TextField {...form.field('name')} required />
        <TextField
          {...form.field('partnerCode')}
          required={partner !== undefined}
          width="20rem"
          help={t(partner ? 'partnerCodeEditHelp' : 'partnerCodeHelp')}
        />
        {isCodeChanged && partnerCode !== '' && (
          <Notice tone="warning">{t('codeChanges', { code: partnerCode })}</Notice>
        )}
        {isCodeChanged && changesEntityId && <Notice tone="warning">{t('codeChangesEntityId')}</Notice>}
        {asksUnit && (
          <ComboboxField
            {...form.field('unitId')}
            required
            source={unitChoices}
            none={0}
            noneLabel={t('unitNone')}
            help={t('unitHelp')}
          />
        )}
        {partner && unitId !== partner.unitId && <Notice tone="warning">{t('unitMoves')}</Notice>}
      </FormSection>
      <FormSection title={t('sections.contract')}>
        <RankField
          {...form.field('contractRank')}
          value={rank}
          before={partner?.contractRank}
          onChoose={chooseRank}
        />
        {lost.length > 0 && <Notice tone="warning">{t('featuresLost', { features: wordsOf(lost) })}</Notice>}
        {plan &&
          (plan.licenseTypes.length > 1 ? (
            <RadioField
              {...form.field('licenseType')}
              required
              help={t('licenseTypeHelp')}
              options={licenseTypes.map((type) => ({ value: type, label: t(`auth:licenseTypes.${type}`) }))}
              onChoose={() => set('userDeviceLimit', '0')}
            />
          ) : (
            <FixedField
              label={t('licenseType')}
              value={t('auth:licenseTypes.user')}
              help={t('licenseTypeOnly')}
            />
          ))}
        {plan &&
          (rank === 'free' ? (
            <FixedField
              label={t('licenseCount')}
              value={number(Number(licenseCount))}
              help={t('licenseCountFixed')}
            />
          ) : (
            <TextField
              {...form.field('licenseCount')}
              required
              inputMode="numeric"
              width="12rem"
              help={<LicenceCountHelp partner={partner} />}
            />
          ))}
        {plan && (
          <div>
            <DateTimeField {...form.field('licenseExpiredOn')} help={<LicenceEndHelp partner={partner} />} />
            <Flex mt="1.5" gap="1" wrap="wrap">
              <Button size="xs" variant="outline" colorPalette="gray" onClick={() => extend(1)}>
                {t('endIn.month')}
              </Button>
              <Button size="xs" variant="outline" colorPalette="gray" onClick={() => extend(12)}>
                {t('endIn.year')}
              </Button>
              {rank !== '' && end !== '' && mayLast(rank, partner) && (
                <Button size="xs" variant="ghost" onClick={() => setEnd('')}>
                  {t('endIn.never')}
                </Button>
              )}
            </Flex>
          </div>
        )}
      </FormSection>
      <FormSection title={t('sections.limits')}>
        {countsDevices(rank) && (
          <TextField
            {...form.field('userDeviceLimit')}
            required
            inputMode="numeric"
            width="12rem"
            help={t('userDeviceLimitHelp', { max: number(limits.maxDeviceCount) })}
          />
        )}
        <TextField
          {...form.field('uapFileLimit')}
          required
          inputMode="numeric"
          width="12rem"
          help={[
            plan && t('uapFileLimitHelp', { count: number(plan.files) }),
            use && t('uapFilesNow', { count: number(use.uapFiles) }),
          ]
            .filter(Boolean)
            .join(' ')}
        />
        <CheckboxField {...form.field('filePublicFlag')} help={t('filePublicHelp')} />
        <CheckboxField {...form.field('operationLogDownloadFlag')} />
      </FormSection>
      {!partner && (
        <FormSection title={t('sections.demo')}>
          <CheckboxField {...form.field('createDemoUsers')} help={t('createDemoUsersHelp')} />
        </FormSection>
      )}
      <FormSection title={t('sections.contact')}>
        <TextField {...form.field('email')} type="email" inputMode="email" help={t('emailHelp')} />
        <TextareaField {...form.field('managers')} rows={2} help={t('managersHelp')} />
        <RadioField
          {...form.field('lang')}
          required
          options={(['ja', 'en'] as const).map((lang) => ({
            value: lang,
            label: t(`partners:languages.${lang}`),
          }))}
        />
        <ComboboxField
          {...form.field('timeZone')}
          required
          source={timeZoneChoices}
          none=""
          noneLabel={t('timeZoneNone')}
          help={t('timeZoneHelp')}
        />
      </FormSection>
      <FormSection title={t('sections.internal')}>
        <TextField {...form.field('partnerItem')} help={t('partnerItemHelp')} />
        <TextareaField {...form.field('comment')} rows={3} help={t('commentHelp')} />
        <TextareaField {...form.field('json')} mono help={t('jsonHelp')} />
      </FormSection>
    </Form>
  );
}

/** From what a further month counts: the end that is set, or now where that is past. */
const laterOf = (end: string): Date => {
  const set = new Date(end);
  const now = new Date();
  return set > now ? set : now;
};
