import { Box, chakra, Flex, Input } from '@chakra-ui/react';
import { fieldMessages, limits } from '@portal/contracts';
import { Plus, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../lib/i18n.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { DetailSkeleton } from '../../ui/feedback/states.tsx';
import { Select } from '../../ui/form/controls.tsx';
import { ErrorText } from '../../ui/form/field.tsx';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import { GroupPicker } from '../groups/group-picker.tsx';
import { usePickableGroups } from '../groups/use-pickable-groups.ts';
import {
  type PlanFaults,
  type PlanValues,
  presetNames,
  presets,
  type StageValues,
  waits,
} from './plan-values.ts';

interface StageEditorProps {
  values: PlanValues;
  onChange: (values: PlanValues) => void;
  /** What is wrong, once it was sent. */
  faults: PlanFaults | undefined;
  /** Whether stages may be of groups. */
  hasPilots: boolean;
}

/** The stages one below the other, and when they halt by themselves. */
export function StageEditor({ faults, hasPilots, onChange, values }: StageEditorProps) {
  const { t } = useTranslation('rollout');
  const language = useLanguage();
  const { stages } = values;
  const offered = presetNames.filter((name) => hasPilots || name !== 'pilot');
  const focus = useKeptFocus<HTMLOListElement>({ items: 'li', otherwise: 'input' });
  const setStages = (next: StageValues[]) => onChange({ ...values, stages: next });
  const change = (index: number, changes: Partial<StageValues>) =>
    setStages(stages.map((stage, at) => (at === index ? { ...stage, ...changes } : stage)));
  return (
    <Box>
      <Flex role="group" aria-label={t('editor.presets')} gap="1.5" wrap="wrap" mb="3">
        {offered.map((name) => (
          <Button
            key={name}
            size="xs"
            variant="outline"
            colorPalette="gray"
            onClick={() =>
              setStages(presets[name].map((stage) => ({ ...stage, groupIds: stage.groupIds && [] })))
            }
          >
            {t(`editor.preset.${name}`)}
          </Button>
        ))}
      </Flex>
      <chakra.ol display="grid" gap="2" {...focus}>
        {stages.map((stage, index) => (
          <StageRow
            key={index}
            index={index}
            stage={stage}
            isOnly={stages.length === 1}
            faults={faults}
            hasPilots={hasPilots}
            onChange={(changes) => change(index, changes)}
            onRemove={() => setStages(stages.filter((_, at) => at !== index))}
          />
        ))}
      </chakra.ol>
      {faults?.order.map((rule) => (
        <ErrorText key={rule} id={`stages-${rule}`}>
          {fieldMessages[rule][language]}
        </ErrorText>
      ))}
      {stages.length < limits.maxStages && (
        <Button
          mt="2"
          size="xs"
          variant="ghost"
          icon={<Plus />}
          onClick={() => setStages(withOneMore(stages))}
        >
          {t('editor.add')}
        </Button>
      )}
      <HaltLimit values={values} onChange={onChange} faults={faults} />
    </Box>
  );
}

/** The new one comes before the last, which stays that of all: halfway between its neighbours. */
function withOneMore(stages: readonly StageValues[]): StageValues[] {
  const before = Number(stages.at(-2)?.percent ?? 0) || 0;
  const percent = String(Math.max(1, Math.round((before + 100) / 2)));
  const added: StageValues = { percent, groupIds: null, wait: 'days', amount: '1' };
  return [...stages.slice(0, -1), added, ...stages.slice(-1)];
}

interface StageRowProps {
  index: number;
  stage: StageValues;
  isOnly: boolean;
  faults: PlanFaults | undefined;
  hasPilots: boolean;
  onChange: (changes: Partial<StageValues>) => void;
  onRemove: () => void;
}

function StageRow({ faults, hasPilots, index, isOnly, onChange, onRemove, stage }: StageRowProps) {
  const { t } = useTranslation('rollout');
  const { amount, groupIds, percent, wait } = stage;
  const id = useId();
  const name = t('stage', { stage: index + 1 });
  const isPercentWrong = faults?.percent.has(index) ?? false;
  const isWaitWrong = faults?.wait.has(index) ?? false;
  const areGroupsWrong = faults?.groups.has(index) ?? false;
  return (
    <chakra.li borderWidth="1px" borderRadius="md" px="3" py="2" aria-label={name}>
      <Flex align="center" gap="2" wrap="wrap">
        <chakra.strong fontWeight="medium" minW="4.5rem">
          {name}
        </chakra.strong>
        <NumberInput
          label={t('editor.percentOf', { stage: name })}
          value={percent}
          isWrong={isPercentWrong}
          describedBy={isPercentWrong ? `${id}-percent` : undefined}
          onChange={(next) => onChange({ percent: next })}
        />
        <span>%</span>
        {hasPilots ? (
          <chakra.span w={{ base: 'full', sm: '16rem' }}>
            <Select
              aria-label={t('editor.ofWhomOf', { stage: name })}
              value={groupIds ? 'pilot' : 'all'}
              options={[
                { value: 'all', label: t('editor.all') },
                { value: 'pilot', label: t('editor.pilot') },
              ]}
              onChange={({ target }) => onChange({ groupIds: target.value === 'pilot' ? [] : null })}
            />
          </chakra.span>
        ) : (
          <span>{t('editor.all')}</span>
        )}
        <IconButton
          size="xs"
          ms="auto"
          label={t('editor.removeOf', { stage: name })}
          icon={<Trash2 />}
          disabled={isOnly}
          onClick={onRemove}
        />
      </Flex>
      <Flex align="center" gap="2" wrap="wrap" mt="2">
        {index === 0 ? (
          <chakra.span fontSize="xs" color="fg.muted">
            {t('editor.withDelivery')}
          </chakra.span>
        ) : (
          <>
            {wait !== 'hand' && (
              <NumberInput
                label={t('editor.amountOf', { stage: name })}
                value={amount}
                isWrong={isWaitWrong}
                describedBy={isWaitWrong ? `${id}-wait` : undefined}
                onChange={(next) => onChange({ amount: next })}
              />
            )}
            <chakra.span w="13rem">
              <Select
                aria-label={t('editor.waitOf', { stage: name })}
                value={wait}
                options={waits.map((one) => ({ value: one, label: t(`editor.waits.${one}`) }))}
                onChange={({ target }) =>
                  onChange({ wait: waits.find((one) => one === target.value) ?? 'hand' })
                }
              />
            </chakra.span>
          </>
        )}
      </Flex>
      {isPercentWrong && <ErrorText id={`${id}-percent`}>{t('editor.faults.percent')}</ErrorText>}
      {isWaitWrong && <ErrorText id={`${id}-wait`}>{t('editor.faults.wait')}</ErrorText>}
      {groupIds && (
        <PilotGroups
          label={t('editor.groupsOf', { stage: name })}
          chosen={groupIds}
          isWrong={areGroupsWrong}
          onChange={(next) => onChange({ groupIds: [...next] })}
        />
      )}
    </chakra.li>
  );
}

interface PilotGroupsProps {
  label: string;
  chosen: readonly number[];
  isWrong: boolean;
  onChange: (ids: readonly number[]) => void;
}

function PilotGroups({ chosen, isWrong, label, onChange }: PilotGroupsProps) {
  const { t } = useTranslation('rollout');
  const groups = usePickableGroups();
  const errorId = useId();
  return (
    <chakra.fieldset mt="2" aria-describedby={isWrong ? errorId : undefined}>
      <chakra.legend srOnly>{label}</chakra.legend>
      {groups.data ? (
        <GroupPicker groups={groups.data} chosen={chosen} onChange={onChange} />
      ) : (
        <DetailSkeleton rows={1} />
      )}
      {isWrong && <ErrorText id={errorId}>{t('editor.faults.groups')}</ErrorText>}
    </chakra.fieldset>
  );
}

/** When it halts by itself. */
function HaltLimit({ faults, onChange, values }: Omit<StageEditorProps, 'hasPilots'>) {
  const { t } = useTranslation('rollout');
  const { failurePercent, halts, minReports } = values;
  const id = useId();
  const isWrong = faults !== undefined && (faults.failurePercent || faults.minReports);
  return (
    <Box mt="4">
      <chakra.label display="flex" alignItems="flex-start" gap="2.5" cursor="pointer">
        <chakra.input
          type="checkbox"
          boxSize="4"
          flexShrink="0"
          mt="0.5"
          accentColor="accent.solid"
          checked={halts}
          onChange={({ target }) => onChange({ ...values, halts: target.checked })}
        />
        <span>
          {t('editor.halts')}
          <chakra.span display="block" fontSize="xs" color="fg.muted">
            {t('editor.haltsHelp')}
          </chakra.span>
        </span>
      </chakra.label>
      {halts && (
        <Flex ps="6" mt="2" align="center" gap="2" wrap="wrap">
          <chakra.label htmlFor={`${id}-percent`}>{t('editor.failurePercent')}</chakra.label>
          <NumberInput
            id={`${id}-percent`}
            value={failurePercent}
            isWrong={faults?.failurePercent ?? false}
            describedBy={isWrong ? `${id}-error` : undefined}
            onChange={(next) => onChange({ ...values, failurePercent: next })}
          />
          <chakra.span me="3">%</chakra.span>
          <chakra.label htmlFor={`${id}-reports`}>{t('editor.minReports')}</chakra.label>
          <NumberInput
            id={`${id}-reports`}
            value={minReports}
            isWrong={faults?.minReports ?? false}
            describedBy={isWrong ? `${id}-error` : undefined}
            onChange={(next) => onChange({ ...values, minReports: next })}
          />
        </Flex>
      )}
      {isWrong && <ErrorText id={`${id}-error`}>{t('editor.faults.halt')}</ErrorText>}
    </Box>
  );
}

interface NumberInputProps {
  id?: string;
  /** Where no label stands beside it. */
  label?: string;
  value: string;
  isWrong: boolean;
  describedBy: string | undefined;
  onChange: (value: string) => void;
}

function NumberInput({ describedBy, id, isWrong, label, onChange, value }: NumberInputProps) {
  return (
    <Input
      id={id}
      aria-label={label}
      aria-invalid={isWrong || undefined}
      aria-describedby={describedBy}
      inputMode="numeric"
      size="sm"
      w="5rem"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
