import { limits } from '@portal/contracts';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { timeOf } from './days.ts';
import { type FilterValues, takes } from './filter-values.ts';

export type Order = 'asc' | 'desc';

export interface ListStateOptions<K extends string, F extends Record<string, string>> {
  /** The first one is the default. */
  readonly orderKeys: readonly [K, ...K[]];
  readonly defaultOrder?: Order;
  /** Every filter with what it takes. */
  readonly filters: { readonly [N in keyof F]: FilterValues };
}

export interface ListState<
  K extends string = string,
  F extends Record<string, string> = Record<string, string>,
> {
  readonly page: number;
  readonly perPage: number;
  readonly orderKey: K;
  readonly order: Order;
  readonly filters: F;
  /** The same as the service is asked for it: the last days are the time with which they begin. */
  readonly asked: F;
  readonly isFiltered: boolean;
  /** `replace`: the way back leads to where one was before this page. */
  setPage(page: number, replace?: boolean): void;
  setPerPage(perPage: number): void;
  /** Sorts by `key`; by the same key again the other way round. The page goes back to 1. */
  sortBy(key: K): void;
  /** Sorts by `key` in this direction. The page goes back to 1. */
  sort(key: K, order: Order): void;
  /** `view` is what is looked at otherwise with them. */
  setFilters(filters: F, view?: { perPage: number; orderKey: K; order: Order }): void;
  /** Takes all filters off; sort and page size stay. */
  reset(): void;
}

export const pageSizes = [10, 20, 50, 100] as const;

function whole(text: string | null, fallback: number, most: number): number {
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 && value <= most ? value : fallback;
}

/**
 * Page, sort and filters of a list, kept in the address: a reload, a bookmark and the back button show the same rows.
 * Whatever has its default value is left out of the address; nonsense in it counts as the default.
 */
export function useListState<K extends string, F extends Record<string, string>>({
  orderKeys,
  defaultOrder = 'desc',
  filters: taken,
}: ListStateOptions<K, F>): ListState<K, F> {
  const [address, setAddress] = useSearchParams();

  return useMemo(() => {
    const page = whole(address.get('page'), 1, 1_000_000);
    const perPage = whole(address.get('perPage'), limits.pageSize, limits.maxPageSize);
    const orderKey = orderKeys.find((key) => key === address.get('orderKey')) ?? orderKeys[0];
    const stored = address.get('order');
    const order = stored === 'asc' || stored === 'desc' ? stored : defaultOrder;
    const filters = Object.fromEntries(
      Object.entries<FilterValues>(taken).map(([key, values]) => {
        const value = address.get(key) ?? '';
        return [key, value !== '' && takes(values, value) ? value : ''];
      }),
    ) as F;

    const asked = Object.fromEntries(
      Object.entries<string>(filters).map(([key, value]) => [
        key,
        taken[key] === 'time' && value !== '' ? timeOf(value) : value,
      ]),
    ) as F;

    const write = (changes: Record<string, string | number>, replace = false) =>
      setAddress(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [key, value] of Object.entries(changes)) {
            const isDefault =
              value === '' ||
              (key === 'page' && value === 1) ||
              (key === 'perPage' && value === limits.pageSize) ||
              (key === 'orderKey' && value === orderKeys[0]) ||
              (key === 'order' && value === defaultOrder);
            if (isDefault) after.delete(key);
            else after.set(key, String(value));
          }
          return after;
        },
        { replace, preventScrollReset: true },
      );

    return {
      page,
      perPage,
      orderKey,
      order,
      filters,
      asked,
      isFiltered: Object.values(filters).some((value) => value !== ''),
      setPage: (next, replace) => write({ page: next }, replace),
      setPerPage: (next) => write({ perPage: next, page: 1 }),
      sortBy: (key) => {
        const same = key === orderKey;
        const next = same ? (order === 'desc' ? 'asc' : 'desc') : defaultOrder;
        write({ orderKey: key, order: next, page: 1 });
      },
      sort: (key, next) => write({ orderKey: key, order: next, page: 1 }),
      setFilters: (next, view) => write({ ...next, ...view, page: 1 }),
      reset: () => write({ ...Object.fromEntries(Object.keys(taken).map((key) => [key, ''])), page: 1 }),
    };
  }, [address, setAddress, orderKeys, defaultOrder, taken]);
}
