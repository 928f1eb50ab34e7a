import { type fileRoutes, foldCase } from '@portal/contracts';
import { inTimeRange, searchFor } from '@portal/database';
import type { z } from 'zod';
import { Prisma } from '../../data/generated/client.ts';
import { deliveredAt, dueAt, isInState } from './file-states.ts';

export type FileFilters = z.output<typeof fileRoutes.fileFilters>;

/** Those of a tenant's files, as `filesOf` has them, that pass the filters: conditions on `file`. */
export function whereFiles(partnerId: number, filters: FileFilters, now: Date): Prisma.Sql {
  const conditions = conditionsOf(partnerId, filters, now);
  return conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, ' AND ');
}

export function isFiltered(filters: FileFilters): boolean {
  return conditionsOf(0, filters, new Date(0)).length > 0;
}

/** What the search box looks for. Live files have their file name in lower case. */
export function searchOf({ q }: FileFilters): ReturnType<typeof searchFor> | undefined {
  if (q === undefined || q === '') return undefined;
  const texts = [Prisma.sql`file.name_folded`, Prisma.sql`file.live_file_name`];
  return searchFor(foldCase(q), { id: Prisma.sql`file.id`, texts });
}

function conditionsOf(partnerId: number, filters: FileFilters, now: Date): Prisma.Sql[] {
  const search = searchOf(filters);
  return [
    ...(search ? [search.condition] : []),
    ...inStates(partnerId, filters.state, now),
    ...assignedTo(partnerId, filters.group),
    ...holds(Prisma.sql`file.name_folded`, filters.name),
    ...holds(Prisma.sql`file.note_folded`, filters.note),
    ...inTimeRange(Prisma.sql`file.created_at`, filters.createdAtStart, filters.createdAtEnd),
    ...inTimeRange(Prisma.sql`file.updated_at`, filters.updatedAtStart, filters.updatedAtEnd),
    ...inTimeRange(
      Prisma.sql`file.deliver_reservation_at`,
      filters.deliverReservationAtStart,
      filters.deliverReservationAtEnd,
    ),
    ...inTimeRange(
      Prisma.sql`file.update_reservation_at`,
      filters.updateReservationAtStart,
      filters.updateReservationAtEnd,
    ),
    ...inTimeRange(deliveredAt(now), filters.deliveredAtStart, filters.deliveredAtEnd),
    ...inTimeRange(dueAt(now), filters.dueAtStart, filters.dueAtEnd),
  ];
}

function inStates(partnerId: number, states: FileFilters['state'], now: Date): Prisma.Sql[] {
  if (states === undefined) return [];
  const any = states.map((state) => isInState(partnerId, state, now));
  return [Prisma.sql`(${Prisma.join(any, ' OR ')})`];
}

function assignedTo(partnerId: number, groupId: number | undefined): Prisma.Sql[] {
  if (groupId === undefined) return [];
  return [
    Prisma.sql`file.id IN (
      SELECT assignment.file_id FROM assignments assignment
      WHERE assignment.partner_id = ${partnerId} AND assignment.group_id = ${groupId}
        AND assignment.removed_in IS NULL
    )`,
  ];
}

/** Compared byte by byte on text that is folded already: several times faster than ILIKE. */
function holds(column: Prisma.Sql, wanted: string | undefined): Prisma.Sql[] {
  return wanted === undefined ? [] : [Prisma.sql`strpos(${column}, ${foldCase(wanted)}) > 0`];
}
