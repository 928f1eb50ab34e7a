import { Box, chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { ChoiceLine } from '../../ui/form/choice-line.tsx';
import { faultsOf, type PlanValues, type Way } from './plan-values.ts';
import { StageEditor } from './stage-editor.tsx';

interface RolloutChoiceProps {
  /** Tells several of a page apart. */
  name: string;
  label: string;
  /** What there is to choose from. */
  offered: readonly Way[];
  values: PlanValues;
  onChange: (values: PlanValues) => void;
  /** Once it was sent, what is wrong with it is told. */
  isChecked: boolean;
  /** Whether stages may be of groups. */
  hasPilots?: boolean;
}

/** Whether a version goes to all at once or in stages, and in which. */
export function RolloutChoice({
  hasPilots = true,
  isChecked,
  label,
  name,
  offered,
  onChange,
  values,
}: RolloutChoiceProps) {
  const { t } = useTranslation('rollout');
  return (
    <fieldset>
      <chakra.legend fontWeight="semibold" mb="1">
        {label}
      </chakra.legend>
      {offered.map((way) => (
        <ChoiceLine
          key={way}
          type="radio"
          name={name}
          label={t(`ways.${way}`)}
          help={t(`waysHelp.${way}`)}
          checked={values.way === way}
          onChange={() => onChange({ ...values, way })}
        />
      ))}
      {values.way === 'stages' && (
        <Box mt="3">
          <StageEditor
            hasPilots={hasPilots}
            values={values}
            onChange={onChange}
            faults={isChecked ? faultsOf(values) : undefined}
          />
        </Box>
      )}
    </fieldset>
  );
}
