import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';

export const views = ['table', 'json'] as const;
export type View = (typeof views)[number];
export const tabs = ['documents', 'indexes'] as const;
export type Tab = (typeof tabs)[number];
export const pageSizes = [20, 50, 100] as const;
export type PageSize = (typeof pageSizes)[number];

/** What the editor shows, as its address says. */
export interface EditorState {
  readonly name: string;
  /** As somebody has written it. */
  readonly filter: string;
  readonly sort: string;
  readonly view: View;
  readonly tab: Tab;
  readonly perPage: PageSize;
  /** The document that is open. */
  readonly document: string;
}

export interface EditorAddress extends EditorState {
  /** Goes on from here; what is not named stays. */
  show(changes: Partial<EditorState>): void;
  /** The address of a collection; of the database itself without one. */
  linkTo(name: string): string;
}

const usual = { view: 'table', tab: 'documents', perPage: '50' } as const;

/** The state of the editor, kept in the address: a reload, a bookmark and the back button show the same. */
export function useEditorAddress(): EditorAddress {
  const [address, setAddress] = useSearchParams();
  return useMemo(() => {
    const text = (key: string) => address.get(key) ?? '';
    const oneOf = <T extends string>(key: string, all: readonly [T, ...T[]]) =>
      all.find((one) => one === address.get(key)) ?? all[0];
    return {
      name: text('name'),
      filter: text('filter'),
      sort: text('sort'),
      view: oneOf('view', views),
      tab: oneOf('tab', tabs),
      perPage: pageSizes.find((size) => String(size) === text('perPage')) ?? 50,
      document: text('document'),
      show: (changes) =>
        setAddress(
          (before) => {
            const after = new URLSearchParams(before);
            for (const [key, value] of Object.entries(changes)) {
              const isUsual = Object.entries(usual).some(([one, it]) => one === key && it === String(value));
              if (value === '' || isUsual) after.delete(key);
              else after.set(key, String(value));
            }
            return after;
          },
          { preventScrollReset: true },
        ),
      // The company that an administrator looks at stays in the address, and how documents are shown.
      linkTo(name) {
        const kept = ['id', 'pn', 'view', 'perPage'].flatMap((key) => {
          const value = address.get(key);
          return value === null ? [] : [[key, value]];
        });
        const search = new URLSearchParams([...kept, ...(name === '' ? [] : [['name', name]])]).toString();
        return `${window.location.pathname}${search === '' ? '' : `?${search}`}`;
      },
    };
  }, [address, setAddress]);
}

/** The field and the direction of a sort such as `-a.b`, which the table has at most one of. */
export function sortOf(sort: string): { readonly field: string; readonly order: 'asc' | 'desc' } | undefined {
  const [first = ''] = sort.split(',');
  if (first === '') return undefined;
  return first.startsWith('-') ? { field: first.slice(1), order: 'desc' } : { field: first, order: 'asc' };
}

/** Upwards, downwards, and then as they come. */
export function nextSort(sort: string, field: string): string {
  const now = sortOf(sort);
  if (now?.field !== field) return field;
  return now.order === 'asc' ? `-${field}` : '';
}
