import { chakra } from '@chakra-ui/react';
import { packageExtensions } from '@portal/contracts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { usePartnerName } from '../../../components/partner-choices.ts';
import { RecordForm } from '../../../components/record/record-form-pages.tsx';
import type { RecordPaths } from '../../../components/record/record-paths.ts';
import { usePlanWords } from '../../../components/rollout/plan-words.ts';
import { RolloutField } from '../../../components/rollout/rollout-field.tsx';
import { useFormat } from '../../../lib/format.ts';
import { useAdminSession } from '../../../lib/session/use-session.ts';
import { useFlowForm } from '../../../ui/flow/flow.tsx';
import { FixedField, RadioField, TextField } from '../../../ui/form/fields.tsx';
import { FileField } from '../../../ui/form/file-field.tsx';
import { changedItem, type DescriptionItem } from '../../../ui/page/description-list.tsx';
import { allDestinations } from './application-parts.tsx';
import { type Application, type ApplicationValues, applicationSchema } from './application-rules.ts';
import { PartnersField } from './partners-field.tsx';
import { ResumeApplication } from './resume-application.tsx';

function useLabels() {
  const { t } = useTranslation(['applications', 'rollout']);
  return {
    name: t('name'),
    saleType: t('saleType'),
    to: t('destination'),
    partnerIds: t('partners'),
    addedPartner: t('partners'),
    file: t('file'),
    rollout: t('rollout:how'),
  };
}

/** The name of a sale type. */
export function useSaleTypeName(): (saleType: number | string) => string {
  const { t } = useTranslation('applications');
  return (saleType) => t(`saleTypes.${String(saleType) === '1' ? 'delivery' : 'sale'}`);
}

/** The unit of an application, which of a new one is that of whoever creates it; null: the platform's. */
function useUnitOf(application: Application | undefined): number | null {
  const { unitId } = useAdminSession();
  return application ? application.unitId : unitId;
}

interface ApplicationFormProps {
  initial: ApplicationValues;
  record?: Application | undefined;
  paths: RecordPaths;
  /** Whether there is a choice of the sale type. */
  choosesType: boolean;
}

/** The form of a new application, and of one that is edited. */
export function ApplicationForm({ choosesType, initial, paths, record: application }: ApplicationFormProps) {
  const { t } = useTranslation('applications');
  const unitId = useUnitOf(application);
  const saleTypeName = useSaleTypeName();
  const labels = useLabels();
  const schema = useMemo(() => applicationSchema(t('fileKind'), application), [t, application]);
  const form = useFlowForm<ApplicationValues>(schema, initial, labels);
  const { watch } = form.form;
  const names = useMemo(
    () => new Map(application?.partners.map(({ id, name }) => [id, name])),
    [application],
  );
  return (
    <>
      {application?.upload && <ResumeApplication application={application} />}
      <RecordForm form={form} paths={paths}>
        <TextField {...form.field('name')} required />
        {application || !choosesType ? (
          <FixedField
            label={labels.saleType}
            value={saleTypeName(initial.saleType)}
            help={t(initial.saleType === '1' ? 'deliveryHelp' : 'saleHelp')}
          />
        ) : (
          <RadioField
            {...form.field('saleType')}
            required
            options={['1', '2'].map((value) => ({
              value,
              label: t(value === '1' ? 'saleTypeOptions.delivery' : 'saleTypeOptions.sale'),
            }))}
          />
        )}
        <RadioField
          {...form.field('to')}
          required
          options={[
            { value: 'named', label: t('destinations.named') },
            { value: 'all', label: t(allDestinations(unitId)) },
          ]}
        />
        {watch('to') === 'named' && (
          <PartnersField label={labels.partnerIds} help={t('partnersHelp')} names={names} unitId={unitId} />
        )}
        <FileField
          {...form.field('file')}
          required={!application}
          label={application ? t('newVersion') : labels.file}
          help={application ? t('newVersionHelp', { name: application.fileName }) : t('fileHelp')}
          accept={packageExtensions.join(',')}
        />
        {application?.status === 'published' && watch('file') && (
          <RolloutField {...form.field('rollout')} offered={['atOnce', 'stages']} hasPilots={false} />
        )}
      </RecordForm>
    </>
  );
}

/** So many are named where an application is confirmed or shown; the rest is counted. */
const mostNamed = 20;

function PartnerNames({ ids, names }: { ids: readonly number[]; names: ReadonlyMap<number, string> }) {
  const { t } = useTranslation('applications');
  const { number } = useFormat();
  return (
    <chakra.ul>
      {ids.slice(0, mostNamed).map((id) => (
        <li key={id}>
          <PartnerName id={id} known={names.get(id)} />
        </li>
      ))}
      {ids.length > mostNamed && <li>{t('morePartners', { count: number(ids.length - mostNamed) })}</li>}
    </chakra.ul>
  );
}

function PartnerName({ id, known }: { id: number; known: string | undefined }) {
  const asked = usePartnerName(known === undefined ? id : 0);
  return known ?? asked ?? String(id);
}

/** Stages and their limit, on two lines. */
function StageWords({ words }: { words: string }) {
  return <chakra.span whiteSpace="pre-line">{words}</chakra.span>;
}

/** What the confirmation shows; with what was before, changes are marked. */
export function useApplicationItems(
  values: ApplicationValues,
  before?: ApplicationValues,
  application?: Application,
): DescriptionItem[] {
  const { t } = useTranslation('applications');
  const format = useFormat();
  const unitId = useUnitOf(application);
  const saleTypeName = useSaleTypeName();
  const labels = useLabels();
  const planWords = usePlanWords();
  const names = new Map(application?.partners.map(({ id, name }) => [id, name]));
  const { file } = values;
  const key = ({ partnerIds, to }: ApplicationValues) => (to === 'all' ? 'all' : partnerIds.join(','));
  const shown = (given: string) =>
    given === 'all' ? (
      t(allDestinations(unitId))
    ) : (
      <PartnerNames ids={given.split(',').map(Number)} names={names} />
    );
  return [
    changedItem(labels.name, values.name, before?.name, (name) => name),
    changedItem(labels.saleType, values.saleType, before?.saleType, saleTypeName),
    changedItem(labels.to, key(values), before && key(before), shown),
    {
      label: application ? t('newVersion') : labels.file,
      value: file ? t('fileOf', { name: file.name, size: format.fileSize(file.size) }) : t('unchangedFile'),
    },
    ...(application?.status === 'published' && file
      ? [{ label: labels.rollout, value: <StageWords words={planWords(values.rollout)} /> }]
      : []),
  ];
}
