import { chakra, Flex, Stack } from '@chakra-ui/react';
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { type FieldValues, FormProvider, type Path } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { ContractForm } from '../../lib/contract-form.ts';
import { useUnsavedWork } from '../../lib/unsaved-work.ts';
import { Button } from '../button.tsx';
import { RequestId } from '../feedback/error-info.tsx';
import { useIsInFlow } from '../flow/flow.tsx';
import { Panel } from '../page/panel.tsx';
import { ActionBar } from './action-bar.tsx';
import { fieldId } from './field.tsx';

interface FormProps<V extends FieldValues> {
  form: ContractForm<V>;
  /** The verb of the main button. */
  submitLabel: string;
  pending?: boolean;
  /** Something is to be known first. */
  disabled?: boolean;
  onSubmit: (values: V) => void | Promise<void>;
  /** A link or button beside the main one. */
  cancel?: ReactNode;
  /** What is typed is soon typed again, as a range of dates: leaving does not ask. */
  disposable?: boolean;
  children: ReactNode;
}

/** Where half a time stands, which is no value: taken for none, it would mean at once, or never. */
const unfinishedTimeIn = (form: HTMLFormElement): HTMLInputElement | undefined =>
  [...form.querySelectorAll<HTMLInputElement>('input[type=datetime-local]')].find(
    ({ validity }) => validity.badInput,
  );

/** A form in one column. Errors are shown at each field and together on top, where the focus goes. */
export function Form<V extends FieldValues>({
  form,
  submitLabel,
  pending = false,
  disabled = false,
  onSubmit,
  cancel,
  disposable = false,
  children,
}: FormProps<V>) {
  const summary = useRef<HTMLDivElement>(null);
  const isSubmitting = useRef(false);
  const [refusals, setRefusals] = useState(0);
  const { formState, getValues } = form.form;
  const isInFlow = useIsInFlow();
  const Buttons = isInFlow ? ActionBar : ButtonRow;
  useUnsavedWork(
    () => !isInFlow && !disposable && JSON.stringify(getValues()) !== JSON.stringify(formState.defaultValues),
  );

  // After the render that shows it: a refusal by the form's own rules, or by the server.
  useEffect(() => {
    if (refusals > 0 || form.failure) summary.current?.focus();
  }, [refusals, form.failure]);

  return (
    <FormProvider {...form.form}>
      <chakra.form
        noValidate
        maxW="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (pending || disabled || isSubmitting.current) return;
          isSubmitting.current = true;
          form.startSubmit();
          const unfinished = unfinishedTimeIn(event.currentTarget);
          let isRefused = unfinished !== undefined;
          const submitted = form.form
            .handleSubmit(
              (values) => (unfinished ? undefined : onSubmit(values)),
              () => {
                isRefused = true;
              },
            )(event)
            .then(() => unfinished && form.reject(unfinished.name as Path<V>, 'unfinishedTime'));
          // The errors are there to be shown only when the form has dealt with the submit.
          const release = () => {
            isSubmitting.current = false;
            if (isRefused) setRefusals((count) => count + 1);
          };
          void submitted.finally(release);
        }}
      >
        <Stack gap="5">
          <ErrorSummary ref={summary} form={form} />
          {children}
          <Buttons>
            <Button type="submit" size="md" minW="8rem" pending={pending} disabled={disabled}>
              {submitLabel}
            </Button>
            {cancel}
          </Buttons>
        </Stack>
      </chakra.form>
    </FormProvider>
  );
}

function ButtonRow({ children }: { children: ReactNode }) {
  return (
    <Flex gap="2" wrap="wrap">
      {children}
    </Flex>
  );
}

interface ErrorSummaryProps<V extends FieldValues> {
  form: ContractForm<V>;
  ref: Ref<HTMLDivElement>;
}

function ErrorSummary<V extends FieldValues>({ form, ref }: ErrorSummaryProps<V>) {
  const { t } = useTranslation('ui');
  const { failure } = form;
  const { getFieldState, formState } = form.form;
  const wrong = Object.entries(form.labels).flatMap(([name, label]) => {
    const { error } = getFieldState(name as Parameters<typeof getFieldState>[0], formState);
    const message = error?.message ?? error?.root?.message;
    return message ? [{ name, label, message }] : [];
  });
  const elsewhere = failure?.fields.filter(
    ({ field }) => !Object.hasOwn(form.labels, field.split('.')[0] ?? ''),
  );
  if (wrong.length === 0 && !failure) return null;
  return (
    <chakra.div
      ref={ref}
      tabIndex={-1}
      role="alert"
      aria-labelledby="error-summary"
      px="4"
      py="3"
      bg="bg.error"
      borderWidth="1px"
      borderStartWidth="4px"
      borderColor="border.error"
      borderRadius="md"
    >
      <chakra.h2 id="error-summary" fontWeight="semibold" color="fg.error">
        {failure?.message ?? t('summaryTitle')}
      </chakra.h2>
      {(wrong.length > 0 || (elsewhere && elsewhere.length > 0)) && (
        <chakra.ul mt="1" ps="5" listStyleType="disc">
          {wrong.map(({ name, label, message }) => (
            <li key={name}>
              <chakra.a
                href={`#${fieldId(name)}`}
                display="inline-block"
                verticalAlign="top"
                minH="6"
                color="fg.error"
                textDecoration="underline"
                textUnderlineOffset="3px"
                onClick={(event) => {
                  event.preventDefault();
                  document.getElementById(fieldId(name))?.focus();
                }}
              >
                {label}: {message}
              </chakra.a>
            </li>
          ))}
          {elsewhere?.map(({ field, message }) => (
            <li key={field}>{message}</li>
          ))}
        </chakra.ul>
      )}
      <RequestId of={failure} />
    </chakra.div>
  );
}

/** Fields that belong together, under a heading where there is more than one group. */
export function FormSection({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <Panel p={{ base: '4', md: '6' }}>
      {title && (
        <chakra.h2 fontSize="md" fontWeight="semibold" mb="4">
          {title}
        </chakra.h2>
      )}
      <Stack gap="5">{children}</Stack>
    </Panel>
  );
}
