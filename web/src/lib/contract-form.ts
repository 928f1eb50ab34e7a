import type { FieldMessageKey, RouteContract } from '@portal/contracts';
import { useEffect, useMemo, useState } from 'react';
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  type Resolver,
  set,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import type { z } from 'zod';
import { asApiError } from './api.ts';
import { currentLanguage, useLanguage } from './i18n.ts';
import { messageIn } from './shown-message.ts';

/** Checks a form by a contract's schema, with the messages that the server would give. Values stay as typed. */
export function contractResolver<V extends FieldValues>(schema: z.ZodType<unknown, V>): Resolver<V> {
  return async (values) => {
    const result = await schema.safeParseAsync(values, { reportInput: true });
    if (result.success) return { values, errors: {} };
    const { fieldErrorsOf, fieldMessage } = await import('./form-messages.ts');
    const errors: FieldErrors<V> = {};
    for (const { field, message, params } of fieldErrorsOf(result.error)) {
      set(errors, field, { type: message, message: fieldMessage(message, currentLanguage(), params) });
    }
    return { values: {}, errors };
  };
}

/** What a failed submit tells: its message, and the fields that the server found wrong. */
export interface SubmitFailure {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly requestId?: string | undefined;
  readonly fields: readonly { readonly field: string; readonly message: string }[];
}

export function failureOf(error: unknown): SubmitFailure {
  const { code, status, message, requestId, fields } = asApiError(error);
  return { code, status, message, requestId, fields };
}

export interface ContractForm<V extends FieldValues> {
  readonly form: UseFormReturn<V>;
  readonly labels: Readonly<Record<string, string>>;
  /** Why the last submit failed. */
  readonly failure: SubmitFailure | undefined;
  /** What a field component needs: `<TextField {...field('name')} />`. */
  field(name: Path<V>): { name: Path<V>; label: string };
  /** Shows a rule's message at a field, e.g. after a check by the server. */
  reject(name: Path<V>, message: FieldMessageKey): Promise<void>;
  /** Shows what the server refused, each message at its field; `rename` maps names that the form calls otherwise. */
  fail(failure: SubmitFailure, rename?: Readonly<Record<string, Path<V>>>): void;
  /** Forgets what the server said about an earlier submit. */
  startSubmit(): void;
}

/** A form checked by `schema`. `labels` names every field, for its label and the error summary. */
export function useContractForm<V extends FieldValues>(
  schema: z.ZodType<unknown, V>,
  initial: V,
  labels: Readonly<Record<Extract<keyof V, string>, string>>,
): ContractForm<V> {
  const resolver = useMemo(() => contractResolver(schema), [schema]);
  const [failure, setFailure] = useState<SubmitFailure>();
  const form = useForm<V>({
    resolver,
    defaultValues: initial as DefaultValues<V>,
    mode: 'onSubmit',
    reValidateMode: 'onChange',
    shouldFocusError: false,
  });

  const language = useLanguage();
  const { getFieldState, formState, trigger } = form;
  // Messages that are shown follow the language alone.
  useEffect(() => {
    const shown = Object.keys(formState.errors).map((name) => ({
      name: name as Path<V>,
      error: getFieldState(name as Path<V>).error,
    }));
    const own = shown.filter(({ error }) => error && error.type !== 'server');
    if (own.length > 0) void trigger(own.map(({ name }) => name));
    for (const { error, name } of shown) {
      const { message, type } = error ?? {};
      if (type === 'server' && message) form.setError(name, { type, message: messageIn(language, message) });
    }
  }, [language]);

  // The same one from render to render: another is a reason to go to it.
  const told = useMemo(
    () =>
      failure && {
        ...failure,
        message: messageIn(language, failure.message),
        fields: failure.fields.map(({ field, message }) => ({
          field,
          message: messageIn(language, message),
        })),
      },
    [failure, language],
  );

  const named: Readonly<Record<string, string>> = labels;
  return {
    form,
    labels,
    failure: told,
    field: (name) => ({ name, label: named[name] ?? name }),
    reject: async (name, message) => {
      const { fieldMessage } = await import('./form-messages.ts');
      form.setError(name, { type: message, message: fieldMessage(message, currentLanguage()) });
    },
    fail(refusal, rename = {}) {
      const fields = refusal.fields.map(({ field, message }) => ({ field: rename[field] ?? field, message }));
      for (const { field, message } of fields) {
        const [top = field] = field.split('.');
        if (Object.hasOwn(labels, top)) form.setError(field as Path<V>, { type: 'server', message });
      }
      setFailure({ ...refusal, fields });
    },
    startSubmit() {
      form.clearErrors();
      setFailure(undefined);
    },
  };
}

/** The schema of what a route takes. */
export function bodyOf<C extends RouteContract>(contract: C): NonNullable<C['body']> {
  if (!contract.body) throw new Error(`${contract.id} takes no body`);
  return contract.body;
}
