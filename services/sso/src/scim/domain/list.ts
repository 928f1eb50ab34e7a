import { scimRoutes } from '@portal/contracts';
import type { FilterStep } from '@portal/contracts/internal';
import { fieldError } from '@portal/kernel';
import { attributeName } from './attributes.ts';
import { readFilter } from './filter.ts';
import type { Resource, ResourceKind } from './resources.ts';

const { scimLimits, scimSchemas } = scimRoutes;

export interface ListAsked {
  readonly filter?: string | undefined;
  readonly startIndex?: number | undefined;
  readonly count?: number | undefined;
  readonly sortBy?: string | undefined;
  readonly sortOrder?: 'ascending' | 'descending' | undefined;
}

/** Which rows are asked for: what is too low or too high is read as the nearest that is not (RFC 7644, 3.4.2.4). */
export function windowOf({ count = scimLimits.maxCount, startIndex = 1 }: ListAsked): {
  skip: number;
  take: number;
} {
  const first = Math.min(Math.max(1, startIndex), 2_147_483_647);
  return { skip: first - 1, take: Math.min(Math.max(0, count), scimLimits.maxCount) };
}

const userOrders = new Map([
  ['id', 'id'],
  ['username', 'login'],
  ['displayname', 'name'],
  ['name', 'name'],
  ['name.formatted', 'name'],
  ['meta.created', 'createdAt'],
  ['meta.lastmodified', 'updatedAt'],
] as const);

/** What users are sorted by. Throws `E40002` on sortBy for what has no order here. */
export function userOrderOf(sortBy: string | undefined) {
  const order = userOrders.get(attributeName(sortBy ?? 'id') as 'id');
  if (order === undefined) throw fieldError('E40002', 'sortBy', 'invalidValue');
  return order;
}

export function groupOrderOf(sortBy: string | undefined) {
  const order = userOrderOf(sortBy);
  const name = attributeName(sortBy ?? 'id');
  if (order === 'login' || name === 'name' || name === 'name.formatted') {
    throw fieldError('E40002', 'sortBy', 'invalidValue');
  }
  return order;
}

export const directionOf = ({ sortOrder }: ListAsked): 'asc' | 'desc' =>
  sortOrder === 'descending' ? 'desc' : 'asc';

/** The filter of a list, where it has one. */
export const filterOf = ({ filter }: ListAsked, kind: ResourceKind): FilterStep[] | undefined =>
  filter === undefined ? undefined : readFilter(filter, kind);

export const listResponse = (
  { skip }: { readonly skip: number },
  totalResults: number,
  resources: readonly Resource[],
) => ({
  schemas: [scimSchemas.list],
  totalResults,
  startIndex: skip + 1,
  itemsPerPage: resources.length,
  Resources: [...resources],
});
