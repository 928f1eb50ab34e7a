import type { SubmitFailure } from '../../lib/contract-form.ts';

/** A form, its confirmation and its completion. */
export interface FlowDefinition<V extends object> {
  /** Unique; part of the storage key. */
  readonly name: string;
  readonly paths: { readonly form: string; readonly confirm: string; readonly complete: string };
  /** Further pages on which something of the form is chosen. */
  readonly aside?: readonly string[];
  /** Passwords and files: they stay in memory and are asked for again after a reload. */
  readonly memoryOnly?: readonly (keyof V & string)[];
}

export interface FlowState<V> {
  readonly values?: V;
  /** What the form was filled with: what differs from it is a change. */
  readonly before?: V;
  readonly confirmed?: boolean;
  readonly dirty?: boolean;
  readonly failure?: SubmitFailure | undefined;
  /** Stays the same while the same values are tried again after an uncertain end. */
  readonly idempotencyKey?: string;
  /** What the completion tells about. */
  readonly result?: string;
  readonly resultId?: number;
  readonly notes?: readonly string[];
  /** Never written: a reload has lost it. */
  readonly secrets?: readonly Secret[];
}

/** What nobody can read again, such as a password that was made, and whose it is. */
export interface Secret {
  readonly name: string;
  readonly secret: string;
}

export interface FlowStore<V> {
  get(): FlowState<V>;
  set(state: FlowState<V>): void;
  clear(): void;
}

const prefix = 'portal.flow.';

function parseState<V>(text: string | null): FlowState<V> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== '';

/**
 * The state of one flow in the tab's session storage. What is `memoryOnly` is not written; a confirmation that had such
 * values is void after a reload.
 */
export function createFlowStore<V extends object>(
  { name, memoryOnly = [] }: FlowDefinition<V>,
  id: string,
  storage: Storage = sessionStorage,
): FlowStore<V> {
  const key = `${prefix}${name}${id === '' ? '' : `.${id}`}`;
  const { lost, ...stored } = parseState<V>(storage.getItem(key)) as FlowState<V> & { lost?: boolean };
  let state: FlowState<V> = lost ? { ...stored, confirmed: false } : stored;
  return {
    get: () => state,
    set(next) {
      state = next;
      const { secrets: _, ...kept } = next;
      if (!kept.values) {
        storage.setItem(key, JSON.stringify(kept));
        return;
      }
      const entries = Object.entries(kept.values);
      const isMemory = (field: string) => memoryOnly.some((one) => one === field);
      storage.setItem(
        key,
        JSON.stringify({
          ...kept,
          values: Object.fromEntries(entries.filter(([field]) => !isMemory(field))),
          lost: entries.some(([field, value]) => isMemory(field) && isGiven(value)),
        }),
      );
    },
    clear() {
      state = {};
      storage.removeItem(key);
    },
  };
}

/** Clears every flow of this tab, for example at the end of a session. */
export function clearFlows(storage: Storage = sessionStorage): void {
  for (const key of Object.keys(storage)) if (key.startsWith(prefix)) storage.removeItem(key);
}
