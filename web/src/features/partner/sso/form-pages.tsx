import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { groupChoices, useGroupName } from '../../../components/groups/group-choices.ts';
import { RecordLoader } from '../../../components/record-loader.tsx';
import { useIsFresh } from '../../../components/use-is-fresh.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { ConfirmPage } from '../../../ui/flow/confirm-page.tsx';
import { useFlow, useFlowForm } from '../../../ui/flow/flow.tsx';
import { ComboboxField } from '../../../ui/form/combobox-field.tsx';
import { CheckboxField, RadioField, TextareaField, TextField } from '../../../ui/form/fields.tsx';
import { FileField } from '../../../ui/form/file-field.tsx';
import { Form, FormSection } from '../../../ui/form/form.tsx';
import { CompletePage } from '../../../ui/page/complete-page.tsx';
import { changedItem, type DescriptionItem } from '../../../ui/page/description-list.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { type MetadataFacts, metadataFacts } from './metadata-facts.ts';
import {
  editedSsoBody,
  emptySso,
  givenMetadata,
  metadataSources,
  type SsoSetting,
  type SsoValues,
  ssoBody,
  ssoSchema,
  ssoValuesOf,
} from './sso-rules.ts';
import { useSsoCalls, useSsoCrumbs, useSsoLinks, useSsoSetting } from './use-sso.ts';

function useSsoLabels() {
  const { t } = useTranslation('sso');
  return {
    metadataSource: t('metadata'),
    metadataUrl: t('metadataUrl'),
    metadataFile: t('metadataFile'),
    metadata: t('metadataText'),
    useSsoFlag: t('useSsoFlag'),
    ssoOnly: t('ssoOnly'),
    usernameAttribute: t('usernameAttribute'),
    groupAttribute: t('groupAttribute'),
    defaultGroup: t('defaultGroup'),
    loginUrl: t('loginUrl'),
    entityIdSuffix: t('entityIdSuffix'),
  };
}

/** The one form, which sets single sign-on up and changes it. */
export function SsoFormPage() {
  const { t } = useTranslation('sso');
  const { toHome } = useSsoLinks();
  const { data, error: failure, isFetching, refetch } = useSsoSetting();
  const isMissing = failure?.code === 'E40401';
  const error = isMissing ? null : failure;
  const isFresh = useIsFresh({ data: data ?? (isMissing || undefined), error, isFetching });
  return (
    <>
      <PageHeader title={t('formTitle')} crumbs={useSsoCrumbs(t('formTitle'))} />
      {isFresh && (data || isMissing) ? (
        <SsoForm before={data} />
      ) : (
        <RecordLoader
          queries={[{ error, refetch }]}
          rows={8}
          action={<ButtonLink to={toHome}>{t('toIt')}</ButtonLink>}
        />
      )}
    </>
  );
}

function SsoForm({ before }: { before: SsoSetting | undefined }) {
  const { t } = useTranslation(['sso', 'ui']);
  const { toHome } = useSsoLinks();
  const form = useFlowForm<SsoValues>(ssoSchema, before ? ssoValuesOf(before) : emptySso, useSsoLabels());
  const [source, isOn, isOnly, suffix] = form.form.watch([
    'metadataSource',
    'useSsoFlag',
    'ssoOnly',
    'entityIdSuffix',
  ]);
  const sources = before ? (['kept', ...metadataSources] as const) : metadataSources;
  return (
    <Form
      form={form}
      submitLabel={t('ui:toConfirm')}
      onSubmit={form.flow.confirm}
      cancel={
        <ButtonLink to={toHome} size="md" variant="outline" colorPalette="gray">
          {t('ui:cancel')}
        </ButtonLink>
      }
    >
      <FormSection title={t('idp')}>
        <RadioField
          {...form.field('metadataSource')}
          required
          help={t('metadataHelp')}
          options={sources.map((value) => ({ value, label: t(`sources.${value}`) }))}
        />
        {source === 'url' && (
          <TextField
            {...form.field('metadataUrl')}
            required
            inputMode="url"
            placeholder="https://"
            help={t('metadataUrlHelp')}
          />
        )}
        {source === 'file' && (
          <FileField {...form.field('metadataFile')} required accept=".xml" help={t('metadataFileHelp')} />
        )}
        {source === 'text' && <TextareaField {...form.field('metadata')} required mono rows={8} />}
      </FormSection>
      <FormSection title={t('people')}>
        <TextField {...form.field('usernameAttribute')} help={t('usernameAttributeHelp')} />
        <TextField {...form.field('groupAttribute')} help={t('groupAttributeHelp')} />
        <ComboboxField
          {...form.field('defaultGroup')}
          source={groupChoices}
          none={0}
          noneLabel={t('defaultGroupNone')}
          help={t('defaultGroupHelp')}
        />
      </FormSection>
      <FormSection title={t('state')}>
        <CheckboxField {...form.field('useSsoFlag')} help={t('useSsoFlagHelp')} />
        {isOn && <CheckboxField {...form.field('ssoOnly')} help={t('ssoOnlyHelp')} />}
        {isOn && isOnly && <Notice tone="warning">{t('ssoOnlyWarning')}</Notice>}
      </FormSection>
      <FormSection title={t('details')}>
        <TextField
          {...form.field('loginUrl')}
          inputMode="url"
          placeholder="https://"
          help={t('loginUrlHelp')}
        />
        <TextField {...form.field('entityIdSuffix')} width="20rem" help={t('entityIdSuffixHelp')} />
        {before && suffix !== (before.entityIdSuffix ?? '') && (
          <Notice tone="warning">{t('suffixWarning')}</Notice>
        )}
      </FormSection>
    </Form>
  );
}

/** What is recognised of the metadata that was chosen or pasted. */
function useMetadataFacts(values: SsoValues): MetadataFacts | undefined {
  const [facts, setFacts] = useState<MetadataFacts>();
  const { metadata, metadataFile, metadataSource } = values;
  useEffect(() => {
    let isOld = false;
    void givenMetadata({ metadata, metadataFile, metadataSource }).then((xml) => {
      if (!isOld) setFacts(metadataFacts(xml));
    });
    return () => {
      isOld = true;
    };
  }, [metadata, metadataFile, metadataSource]);
  return facts;
}

function useSsoItems(values: SsoValues, was: SsoValues | undefined): readonly DescriptionItem[] {
  const { t } = useTranslation(['sso', 'ui']);
  const labels = useSsoLabels();
  const facts = useMetadataFacts(values);
  const groupName = useGroupName(values.defaultGroup);
  const groupBefore = useGroupName(was?.defaultGroup ?? 0);
  const flag = (isOn: boolean) => t(isOn ? 'on' : 'off');

  const metadata = (): DescriptionItem => {
    const { metadataFile, metadataSource, metadataUrl } = values;
    const label = labels.metadataSource;
    if (metadataSource === 'kept') return { label, value: was?.metadataUrl || t('given') };
    if (metadataSource === 'url')
      return changedItem(label, metadataUrl, was?.metadataUrl, (url) => url || t('given'));
    const name = metadataSource === 'file' ? metadataFile?.name : t('sources.text');
    return { label, value: name, ...(was && { before: was.metadataUrl || t('given') }) };
  };
  const item = (
    field: 'entityIdSuffix' | 'groupAttribute' | 'loginUrl' | 'usernameAttribute',
    none: string,
  ) => changedItem(labels[field], values[field], was?.[field], (text) => text || none);
  return [
    metadata(),
    ...(facts && values.metadataSource !== 'url' ? [{ label: t('idp'), value: facts.entityId }] : []),
    item('usernameAttribute', t('nameId')),
    item('groupAttribute', t('none')),
    changedItem(labels.defaultGroup, values.defaultGroup, was?.defaultGroup, (id) =>
      id === 0 ? t('none') : id === values.defaultGroup ? groupName : groupBefore,
    ),
    changedItem(labels.useSsoFlag, values.useSsoFlag, was?.useSsoFlag, flag),
    changedItem(labels.ssoOnly, values.useSsoFlag && values.ssoOnly, was?.ssoOnly, flag),
    item('loginUrl', t('fromMetadata')),
    item('entityIdSuffix', t('none')),
  ];
}

export function SsoConfirmPage() {
  const { t } = useTranslation(['sso', 'ui']);
  const { data, error } = useSsoSetting();
  const { changed, create, update } = useSsoCalls();
  const flow = useFlow<SsoValues>();
  const { values = emptySso, back } = flow;
  const isMissing = error?.code === 'E40401';
  const before = isMissing ? undefined : flow.before;
  const submit = useAction({
    mutationFn: async (entered: SsoValues) => {
      await (isMissing
        ? create(await ssoBody(entered), flow.idempotencyKey)
        : update(await editedSsoBody(entered, before)));
    },
    async onSuccess() {
      await flow.finish(t(isMissing ? 'created' : 'updated'));
      await changed();
    },
    onError: flow.fail,
  });
  const warnings = [
    values.useSsoFlag && values.ssoOnly && !before?.ssoOnly && t('ssoOnlyWarning'),
    before && values.entityIdSuffix !== before.entityIdSuffix && t('suffixWarning'),
  ].filter((warning) => typeof warning === 'string');
  return (
    <ConfirmPage
      title={t('confirm')}
      crumbs={useSsoCrumbs(t('formTitle'))}
      items={useSsoItems(values, before)}
      warning={warnings.length > 0 && warnings.map((warning) => <p key={warning}>{warning}</p>)}
      submitLabel={t('ui:save')}
      pending={submit.isPending || !(data || isMissing)}
      onSubmit={() => submit.mutate(values)}
      onBack={back}
    />
  );
}

export function SsoCompletePage() {
  const { t } = useTranslation('sso');
  const { toHome } = useSsoLinks();
  const { result = '' } = useFlow<SsoValues>();
  return (
    <CompletePage
      title={t('complete')}
      crumbs={useSsoCrumbs(t('formTitle'))}
      message={result}
      notes={[t('nextTest')]}
      next={<ButtonLink to={toHome}>{t('toIt')}</ButtonLink>}
    />
  );
}
