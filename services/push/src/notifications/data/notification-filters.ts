import { foldCase, type pushRoutes } from '@portal/contracts';
import { inTimeRange, searchFor } from '@portal/database';
import type { z } from 'zod';
import { Prisma } from '../../data/generated/client.ts';

type Filters = z.output<typeof pushRoutes.notificationFilters>;

const { sql } = Prisma;

/** Conditions on the notification `n`. One without a time is found by when it was created. */
export function conditionsOf(filters: Filters): Prisma.Sql {
  const { createdAtEnd, createdAtStart, deliverDatetimeEnd, deliverDatetimeStart, status, title } = filters;
  const search = searchOf(filters);
  return Prisma.join(
    [
      sql`true`,
      ...(search ? [search.condition] : []),
      ...(title ? [sql`strpos(n.title_key, ${foldCase(title)}) > 0`] : []),
      ...(status ? [sql`n.status IN (${Prisma.join(status)})`] : []),
      ...inTimeRange(sql`n.due_at`, deliverDatetimeStart, deliverDatetimeEnd),
      ...inTimeRange(sql`n.created_at`, createdAtStart, createdAtEnd),
    ],
    ' AND ',
  );
}

/** By the search box: a title or what it says, as the list shows what has no title. */
export function searchOf({ q }: Filters): ReturnType<typeof searchFor> | undefined {
  if (!q) return undefined;
  return searchFor(foldCase(q), { id: sql`n.id`, texts: [sql`n.title_key`, sql`lower(n.message)`] });
}
