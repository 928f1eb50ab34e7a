import { chakra } from '@chakra-ui/react';
import { type ReactNode, useId } from 'react';
import { useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

export interface FieldProps {
  name: string;
  label: string;
  required?: boolean;
  /** Stands below the label, above the control. */
  help?: ReactNode;
}

/** What a control must carry so that its label, help and error are read with it. */
export interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean;
  'aria-required': boolean;
}

/** The control of a field has this id, so that the error summary can link to it. */
export const fieldId = (name: string) => `field-${name}`;

export function RequiredMark({ required }: { required: boolean }) {
  const { t } = useTranslation('ui');
  return (
    <chakra.span
      fontSize="xs"
      fontWeight="normal"
      color={required ? 'fg.error' : 'fg.muted'}
      ms="2"
      userSelect="none"
    >
      {required ? t('required') : t('optional')}
    </chakra.span>
  );
}

export function ErrorText({ id, children }: { id: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <chakra.p id={id} mt="1.5" fontSize="xs" fontWeight="medium" color="fg.error">
      {children}
    </chakra.p>
  );
}

/** One field: label with its duty in words, help, control, error. */
export function Field({
  name,
  label,
  required = false,
  help,
  children,
}: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const { getFieldState, formState } = useFormContext();
  const base = useId();
  const error = getFieldState(name, formState).error?.message;
  const describedBy = [help ? `${base}-help` : '', error ? `${base}-error` : ''].filter(Boolean).join(' ');
  return (
    <div>
      <chakra.label htmlFor={fieldId(name)} display="inline-block" fontWeight="semibold" mb="1">
        {label}
        <RequiredMark required={required} />
      </chakra.label>
      {help && (
        <chakra.p id={`${base}-help`} fontSize="xs" color="fg.muted" mb="1.5">
          {help}
        </chakra.p>
      )}
      {children({
        id: fieldId(name),
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error !== undefined,
        'aria-required': required,
      })}
      <ErrorText id={`${base}-error`}>{error}</ErrorText>
    </div>
  );
}

/** Several controls that answer one question: its name as a legend, help, error. */
export function Fieldset({
  name,
  label,
  required = false,
  help,
  children,
}: FieldProps & { children: ReactNode }) {
  const { getFieldState, formState } = useFormContext();
  const base = useId();
  const error = getFieldState(name, formState).error?.message;
  const describedBy = [help ? `${base}-help` : '', error ? `${base}-error` : ''].filter(Boolean).join(' ');
  return (
    <chakra.fieldset
      aria-describedby={describedBy || undefined}
      aria-invalid={error !== undefined || undefined}
    >
      <chakra.legend fontWeight="semibold" mb="1.5">
        {label}
        <RequiredMark required={required} />
      </chakra.legend>
      {help && (
        <chakra.p id={`${base}-help`} fontSize="xs" color="fg.muted" mb="1.5">
          {help}
        </chakra.p>
      )}
      {children}
      <ErrorText id={`${base}-error`}>{error}</ErrorText>
    </chakra.fieldset>
  );
}
