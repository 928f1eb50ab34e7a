import { knownTimeZone } from '@portal/csv-export';
import { findFilesOf } from '../../applications/data/reach.ts';
import type { FileDb } from '../../data/db.ts';
import { Prisma } from '../../data/generated/client.ts';
import { deliveredAt, dueAt, isInState } from './file-states.ts';

/** How many files were delivered lately, will be, and wait for somebody. */
export interface FileOverview {
  readonly deliveredToday: number;
  /** In the last seven days, with today. */
  readonly deliveredWeek: number;
  /** Deliveries and updates that are due within seven days. */
  readonly reservedWeek: number;
  readonly nobody: number;
  readonly interrupted: number;
}

const daysOfWeek = 7;

/** @throws AppError `E40002` on `tz` for a time zone that the database does not know */
export async function readFileOverview(
  db: FileDb,
  partnerId: number,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<FileOverview> {
  const zone = await knownTimeZone(db, timeZone);
  const days = (count: number) => Prisma.sql`${count} * interval '1 day'`;
  const today = Prisma.sql`date_trunc('day', ${now}::timestamptz AT TIME ZONE ${zone})`;
  const dayBegan = (ago: number) => Prisma.sql`((${today} - ${days(ago)}) AT TIME ZONE ${zone})`;
  const weekEnds = new Date(now.getTime() + daysOfWeek * 24 * 3_600_000);
  const state = (name: Parameters<typeof isInState>[1]) => isInState(partnerId, name, now);
  const [counted] = await db.$queryRaw<FileOverview[]>`
    SELECT count(*) FILTER (WHERE ${deliveredAt(now)} >= ${dayBegan(0)})::integer AS "deliveredToday",
      count(*) FILTER (WHERE ${deliveredAt(now)} >= ${dayBegan(daysOfWeek - 1)})::integer AS "deliveredWeek",
      count(*) FILTER (WHERE ${dueAt(now)} <= ${weekEnds})::integer AS "reservedWeek",
      count(*) FILTER (WHERE ${state('nobody')})::integer AS nobody,
      count(*) FILTER (WHERE ${state('interrupted')})::integer AS interrupted
    FROM ${await findFilesOf(db, partnerId)} file`;
  if (!counted) throw new Error('Nothing was counted');
  return counted;
}
