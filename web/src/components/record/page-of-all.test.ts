import { expect, it } from 'vitest';
import { pageOfAll } from './page-of-all.ts';

const rows = [
  { id: 1, name: 'Ueda', email: 'ueda@example.com', at: '2026-01-02T00:00:00Z' },
  { id: 2, name: 'Abe', email: 'abe@example.com', at: null },
  { id: 3, name: 'ito', email: 'ito@example.com', at: '2026-01-03T00:00:00Z' },
];
const list = { page: 1, perPage: 10, orderKey: 'name', order: 'asc', filters: { q: '' } } as const;

const pageOf = (query: Partial<Parameters<typeof pageOfAll<(typeof rows)[number], 'name' | 'at'>>[1]>) =>
  pageOfAll(rows, { ...list, ...query }, ({ email, name }) => [name, email], {
    name: ({ name }) => name,
    at: ({ at }) => at,
  });
const ids = (page: ReturnType<typeof pageOf>) => page.rows.map(({ id }) => id);

it('sorts by a value, those without it last either way', () => {
  expect(ids(pageOf({}))).toEqual([2, 3, 1]);
  expect(ids(pageOf({ order: 'desc' }))).toEqual([1, 3, 2]);
  expect(ids(pageOf({ orderKey: 'at' }))).toEqual([1, 3, 2]);
  expect(ids(pageOf({ orderKey: 'at', order: 'desc' }))).toEqual([3, 1, 2]);
});

it('finds a part of a text ignoring case and width, and a whole id', () => {
  expect(ids(pageOf({ filters: { q: ' ＩＴＯ' } }))).toEqual([3]);
  expect(ids(pageOf({ filters: { q: 'EXAMPLE' } }))).toEqual([2, 3, 1]);
  expect(ids(pageOf({ filters: { q: '1' } }))).toEqual([1]);
  expect(pageOf({ filters: { q: 'nobody' } })).toEqual({ rows: [], totalPage: 0, totalCount: 0 });
});

it('pages', () => {
  const page = pageOf({ page: 2, perPage: 2 });
  expect(ids(page)).toEqual([1]);
  expect(page).toMatchObject({ totalPage: 2, totalCount: 3 });
});
