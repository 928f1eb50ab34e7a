import type { Option } from '../form/controls.tsx';

interface FilterBase {
  readonly label: string;
}

/**
 * How a filter is asked for. A `time` is kept in UTC and edited in the viewer's zone. The options of a `lookup` are asked of the server, by
 * its hook, when they are to be seen.
 */
export type Filter =
  | (FilterBase & { readonly kind: 'text' })
  | (FilterBase & { readonly kind: 'number' })
  | (FilterBase & { readonly kind: 'choice'; readonly options: readonly Option[] })
  | (FilterBase & { readonly kind: 'lookup'; readonly useOptions: () => readonly Option[] })
  | (FilterBase & { readonly kind: 'time' });

export type Values = Record<string, string>;
