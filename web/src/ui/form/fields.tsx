import { chakra, Flex, Input, Textarea } from '@chakra-ui/react';
import { Eye, EyeOff } from 'lucide-react';
import { type HTMLInputTypeAttribute, useId, useState } from 'react';
import { Controller, useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { viewerZone } from '../../lib/format.ts';
import { fromLocalInput, latestLocal, toLocalInput } from '../../lib/local-time.ts';
import { IconButton } from '../button.tsx';
import type { Option } from './controls.tsx';
import { ErrorText, Field, type FieldProps, Fieldset, fieldId, RequiredMark } from './field.tsx';

interface TextFieldProps extends FieldProps {
  type?: HTMLInputTypeAttribute;
  autoComplete?: string;
  placeholder?: string;
  inputMode?: 'text' | 'email' | 'numeric' | 'url';
  /** A CSS width where the content has a known length. */
  width?: string;
  /** Shown, and sent, but not to be changed. */
  readOnly?: boolean;
  onBlur?: () => void;
}

export function TextField({
  type = 'text',
  autoComplete = 'off',
  readOnly = false,
  width,
  onBlur,
  placeholder,
  inputMode,
  ...field
}: TextFieldProps) {
  const { register } = useFormContext();
  return (
    <Field {...field}>
      {(control) => (
        <Input
          {...register(field.name, onBlur ? { onBlur } : {})}
          {...control}
          type={type}
          autoComplete={autoComplete}
          placeholder={placeholder}
          inputMode={inputMode}
          readOnly={readOnly}
          bg={readOnly ? 'bg.muted' : undefined}
          maxW={width}
        />
      )}
    </Field>
  );
}

interface PasswordFieldProps extends FieldProps {
  autoComplete: 'current-password' | 'new-password';
  onBlur?: () => void;
}

export function PasswordField({ autoComplete, onBlur, ...field }: PasswordFieldProps) {
  const { t } = useTranslation('ui');
  const { register } = useFormContext();
  const [visible, setVisible] = useState(false);
  return (
    <Field {...field}>
      {(control) => (
        <Flex position="relative">
          <Input
            {...register(field.name, onBlur ? { onBlur } : {})}
            {...control}
            type={visible ? 'text' : 'password'}
            autoComplete={autoComplete}
            pe="10"
          />
          <IconButton
            size="xs"
            position="absolute"
            insetEnd="0.5"
            top="2px"
            label={visible ? t('hidePassword') : t('showPassword')}
            aria-pressed={visible}
            icon={visible ? <EyeOff /> : <Eye />}
            onClick={() => setVisible(!visible)}
          />
        </Flex>
      )}
    </Field>
  );
}

export function TextareaField({
  rows = 4,
  mono = false,
  ...field
}: FieldProps & { rows?: number; mono?: boolean }) {
  const { register } = useFormContext();
  return (
    <Field {...field}>
      {(control) => (
        <Textarea
          {...register(field.name)}
          {...control}
          rows={rows}
          resize="vertical"
          fontFamily={mono ? 'mono' : undefined}
          spellCheck={mono ? false : undefined}
        />
      )}
    </Field>
  );
}

interface ChoiceFieldProps extends FieldProps {
  options: readonly Option[];
  /** The form's value is a number. */
  numeric?: boolean;
  /** What follows from another choice, beside the value itself. */
  onChoose?: () => void;
}

/** A few choices, all visible. */
export function RadioField({ options, numeric = false, onChoose, ...question }: ChoiceFieldProps) {
  const { control } = useFormContext();
  const { name } = question;
  return (
    <Fieldset {...question}>
      <Controller
        control={control}
        name={name}
        render={({ field }) => (
          <Flex direction="column" gap="1">
            {options.map((option, index) => (
              <chakra.label
                key={option.value}
                display="inline-flex"
                alignItems="center"
                gap="2"
                minH="7"
                cursor="pointer"
              >
                <chakra.input
                  type="radio"
                  boxSize="4"
                  accentColor="accent.solid"
                  id={index === 0 ? fieldId(name) : undefined}
                  name={name}
                  value={option.value}
                  checked={String(field.value) === option.value}
                  onChange={() => {
                    field.onChange(numeric ? Number(option.value) : option.value);
                    onChoose?.();
                  }}
                  onBlur={field.onBlur}
                />
                {option.label}
              </chakra.label>
            ))}
          </Flex>
        )}
      />
    </Fieldset>
  );
}

/** One thing that is or is not so; `required` where it has to be. */
export function CheckboxField({ name, label, help, required = false }: FieldProps) {
  const { getFieldState, formState, register } = useFormContext();
  const base = useId();
  const error = getFieldState(name, formState).error?.message;
  const describedBy = [help ? `${base}-help` : '', error ? `${base}-error` : ''].filter(Boolean).join(' ');
  return (
    <div>
      <chakra.label display="inline-flex" alignItems="center" gap="2" minH="7" cursor="pointer">
        <chakra.input
          {...register(name)}
          type="checkbox"
          id={fieldId(name)}
          boxSize="4"
          flexShrink="0"
          accentColor="accent.solid"
          aria-describedby={describedBy || undefined}
          aria-invalid={error !== undefined || undefined}
          aria-required={required || undefined}
        />
        <span>
          {label}
          {required && <RequiredMark required />}
        </span>
      </chakra.label>
      {help && (
        <chakra.p id={`${base}-help`} fontSize="xs" color="fg.muted" ps="6">
          {help}
        </chakra.p>
      )}
      <ErrorText id={`${base}-error`}>{error}</ErrorText>
    </div>
  );
}

/** A time of the wire (UTC text, empty for none), edited in the viewer's zone, which is shown. */
export function DateTimeField(field: FieldProps) {
  const { t } = useTranslation('ui');
  const { control } = useFormContext();
  return (
    <Field {...field}>
      {(attributes) => (
        <Controller
          control={control}
          name={field.name}
          render={({ field: { value, onChange, onBlur } }) => (
            <Flex align="center" gap="2" wrap="wrap">
              <Input
                {...attributes}
                name={field.name}
                type="datetime-local"
                max={latestLocal}
                maxW="15rem"
                value={toLocalInput(value)}
                onChange={(event) => onChange(fromLocalInput(event.target.value))}
                onBlur={onBlur}
              />
              <chakra.span fontSize="xs" color="fg.muted">
                {t('zone', { zone: viewerZone() })}
              </chakra.span>
            </Flex>
          )}
        />
      )}
    </Field>
  );
}

interface FixedFieldProps {
  label: string;
  value: string;
  /** Why it stays as it is. */
  help: string;
}

/** What belongs to the answers of a form but cannot be changed. */
export function FixedField({ label, value, help }: FixedFieldProps) {
  return (
    <div>
      <chakra.p fontWeight="semibold" mb="1">
        {label}
      </chakra.p>
      <chakra.p fontSize="xs" color="fg.muted" mb="1.5">
        {help}
      </chakra.p>
      <chakra.p overflowWrap="anywhere">{value}</chakra.p>
    </div>
  );
}
