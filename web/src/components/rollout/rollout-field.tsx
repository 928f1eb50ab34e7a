import { Controller, useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ErrorText, fieldId } from '../../ui/form/field.tsx';
import type { Way } from './plan-values.ts';
import { RolloutChoice } from './rollout-choice.tsx';

interface RolloutFieldProps {
  name: string;
  label: string;
  offered: readonly Way[];
  /** What is wrong is told before it is sent: the form cannot be sent with it. */
  isChecked?: boolean;
  hasPilots?: boolean;
}

/** The same as a field of a form. */
export function RolloutField({
  hasPilots = true,
  isChecked = false,
  label,
  name,
  offered,
}: RolloutFieldProps) {
  const { t } = useTranslation('rollout');
  const { control, getFieldState, formState } = useFormContext();
  const { error } = getFieldState(name, formState);
  return (
    <div id={fieldId(name)} tabIndex={-1}>
      <Controller
        control={control}
        name={name}
        render={({ field }) => (
          <RolloutChoice
            name={name}
            label={label}
            hasPilots={hasPilots}
            offered={offered}
            values={field.value}
            onChange={field.onChange}
            isChecked={isChecked || error !== undefined}
          />
        )}
      />
      <ErrorText id={`${name}-error`}>
        {error && (error.type === 'server' ? error.message : t('editor.invalid'))}
      </ErrorText>
    </div>
  );
}
