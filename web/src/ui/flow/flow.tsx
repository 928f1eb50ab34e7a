import { createContext, use, useEffect, useMemo } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Navigate, Outlet, useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import type { z } from 'zod';
import {
  type ContractForm,
  failureOf,
  type SubmitFailure,
  useContractForm,
} from '../../lib/contract-form.ts';
import { useUnsavedWork } from '../../lib/unsaved-work.ts';
import { createFlowStore, type FlowDefinition, type FlowStore, type Secret } from './flow-store.ts';

export interface Flow<V> {
  /** What was typed so far. */
  readonly values: V | undefined;
  /** What the form was filled with: what differs from it is a change, whatever others have changed since. */
  readonly before: V | undefined;
  readonly failure: SubmitFailure | undefined;
  readonly result: string | undefined;
  /** The record that `result` names, where the flow was told of it. */
  readonly resultId: number | undefined;
  /** What else the completion has to tell, by names of the flow's own. */
  readonly notes: readonly string[];
  /** What the completion shows this once; nothing after a reload. */
  readonly secrets: readonly Secret[];
  readonly idempotencyKey: string;
  /** Keeps what the form is filled with. */
  fill(values: V): void;
  /** Tells what the server has taken before the end: it is no change any more. */
  settle(values: Partial<V>): void;
  /** Keeps what is typed, for a reload and the way back. */
  draft(values: V, dirty: boolean): void;
  /** Goes to the confirmation. */
  confirm(values: V): void;
  /** Goes back to the form with everything kept; like the next two it resolves when the page is there. */
  back(): Promise<void>;
  /** Goes back to the form, which tells what the server found wrong; not after the flow's end. */
  fail(error: unknown): Promise<void>;
  /** Goes to the completion; `result` is what it names, e.g. the record with its id. */
  finish(result: string, resultId?: number, told?: FlowTold): Promise<void>;
}

interface FlowTold {
  readonly notes?: readonly string[];
  readonly secrets?: readonly Secret[];
}

interface FlowContextValue {
  readonly definition: { readonly paths: FlowDefinition<object>['paths'] };
  readonly store: FlowStore<never>;
}

const FlowContext = createContext<FlowContextValue | undefined>(undefined);

const bare = (path: string) => path.replace(/\/$/, '');

/**
 * The element of a flow's parent route; its form, confirm and complete pages are the children. Confirm and complete
 * without what they need lead to the form. Leaving with changes asks, and what was typed goes with it.
 */
export function FlowRoute<V extends object>({ flow: definition }: { flow: FlowDefinition<V> }) {
  const { pathname, search } = useLocation();
  const [params] = useSearchParams();
  const id = params.get('id') ?? '';
  const store = useMemo(() => createFlowStore<V>(definition, id), [definition, id]);
  const { form, confirm, complete } = definition.paths;

  const pages = [form, confirm, complete, ...(definition.aside ?? [])].map(bare);
  // The form of another record is another flow.
  const isInside = (to: string) => {
    const at = new URL(to, window.location.href);
    return pages.includes(bare(at.pathname)) && (at.searchParams.get('id') ?? '') === id;
  };
  useUnsavedWork((to) => store.get().dirty === true && !(to !== undefined && isInside(to)));

  useEffect(
    () => () => {
      if (!isInside(window.location.href)) store.clear();
    },
    [store],
  );

  const context = useMemo<FlowContextValue>(
    () => ({ definition, store: store as FlowStore<object> as FlowStore<never> }),
    [definition, store],
  );

  const { values, confirmed, result } = store.get();
  const at = bare(pathname);
  if (at === bare(confirm) && result !== undefined) return <Navigate to={complete + search} replace />;
  const lacksConfirmation = at === bare(confirm) && !(values && confirmed);
  const lacksResult = at === bare(complete) && result === undefined;
  if (lacksConfirmation || lacksResult) return <Navigate to={form + search} replace />;

  return (
    <FlowContext value={context}>
      <Outlet />
    </FlowContext>
  );
}

/** Drops what was typed for something that is there no more. Outside of a flow there is nothing to drop. */
export function useForgetFlow(isGone: boolean): void {
  const context = use(FlowContext);
  useEffect(() => {
    if (isGone) context?.store.clear();
  }, [isGone, context]);
}

/** Whether this is a part of a flow, which looks after what was typed itself. */
export function useIsInFlow(): boolean {
  return use(FlowContext) !== undefined;
}

/** Whether something was typed before, with which the form begins. Outside of a flow nothing was kept. */
export function useIsTyped(): boolean {
  return use(FlowContext)?.store.get().values !== undefined;
}

export function useFlow<V extends object>(): Flow<V> {
  const context = use(FlowContext);
  const navigate = useNavigate();
  const { search } = useLocation();
  if (!context) throw new Error('FlowRoute is missing');
  const { paths } = context.definition;
  const store = context.store as FlowStore<object> as FlowStore<V>;
  const state = store.get();

  const uncertain = (failure: SubmitFailure | undefined) =>
    failure?.code === 'NETWORK' || failure?.code === 'TIMEOUT';

  return {
    values: state.values,
    before: state.before,
    failure: state.failure,
    result: state.result,
    resultId: state.resultId,
    notes: state.notes ?? [],
    secrets: state.secrets ?? [],
    idempotencyKey: state.idempotencyKey ?? '',
    fill: (before) => store.set({ ...store.get(), before }),
    settle(values) {
      const { before, ...others } = store.get();
      if (before) store.set({ ...others, before: { ...before, ...values } });
    },
    draft: (values, dirty) => store.set({ ...store.get(), values, dirty, confirmed: false }),
    confirm(values) {
      const { before, failure, idempotencyKey, values: tried } = store.get();
      const retried =
        uncertain(failure) && JSON.stringify(tried) === JSON.stringify(values) ? idempotencyKey : undefined;
      store.set({
        values,
        ...(before && { before }),
        dirty: true,
        confirmed: true,
        idempotencyKey: retried ?? randomKey(),
      });
      void navigate(paths.confirm + search);
    },
    async back() {
      await navigate(paths.form + search);
    },
    async fail(error) {
      if (store.get().result !== undefined) return;
      store.set({ ...store.get(), confirmed: false, failure: failureOf(error) });
      await navigate(paths.form + search, { replace: true });
    },
    async finish(result, resultId, told = {}) {
      store.set({ result, ...told, ...(resultId === undefined ? {} : { resultId }) });
      await navigate(paths.complete + search, { replace: true });
    },
  };
}

/** Sixteen random bytes in hexadecimal; also where the page is not a secure context. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

export interface FlowForm<V extends FieldValues> extends ContractForm<V> {
  readonly flow: Flow<V>;
}

/**
 * The form page of a flow. `initial` is read once: render the form when the record is there. Values go into the flow as
 * they are typed, beside those that it was filled with; errors of a failed submit are put to their fields.
 */
export function useFlowForm<V extends FieldValues>(
  schema: z.ZodType<unknown, V>,
  initial: V,
  labels: Readonly<Record<Extract<keyof V, string>, string>>,
): FlowForm<V> {
  const flow = useFlow<V>();
  // What was typed before was typed over what stood there then.
  // A file, which no reload keeps, is a field still.
  const before = flow.values && flow.before ? { ...initial, ...flow.before } : initial;
  const contractForm = useContractForm<V>(schema, { ...before, ...flow.values }, labels);
  const { form } = contractForm;

  // The first values alone decide what a change is.
  useEffect(() => {
    flow.fill(before);
    const untouched = JSON.stringify(before);
    return form.subscribe({
      formState: { values: true },
      callback: ({ values }) => flow.draft(values, JSON.stringify({ ...before, ...values }) !== untouched),
    });
  }, [form]);

  // Once, when the form opens.
  useEffect(() => {
    if (flow.failure) contractForm.fail(flow.failure);
  }, []);

  return { ...contractForm, flow };
}
