import { fieldError } from '@portal/kernel';

/** Where an application goes: to all tenants that its publisher reaches, later ones too, or to those that are named. */
export type Destinations = 'all' | readonly number[];

interface Given {
  readonly allDeliverFlag?: boolean | null | undefined;
  readonly partnerIds?: readonly number[] | null | undefined;
}

/** @throws AppError `E40002` on `partnerIds` for both or neither */
export function destinationsOf({ allDeliverFlag, partnerIds }: Given): Destinations {
  const named = [...new Set(partnerIds ?? [])].sort((a, b) => a - b);
  if ((allDeliverFlag ?? false) === named.length > 0)
    throw fieldError('E40002', 'partnerIds', 'oneDestination');
  return named.length > 0 ? named : 'all';
}

/**
 * Those of a change; undefined: they stay as they are.
 * @throws AppError as `destinationsOf`
 */
export function changedDestinations(given: Given, before: Destinations): Destinations | undefined {
  const { allDeliverFlag, partnerIds } = given;
  if (partnerIds !== undefined || allDeliverFlag === true) return destinationsOf(given);
  if (allDeliverFlag === undefined || before !== 'all') return undefined;
  throw fieldError('E40002', 'partnerIds', 'oneDestination');
}
