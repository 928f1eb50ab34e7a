import type { BatchDb } from './db.ts';

/** Whether PostgreSQL, which writes the times, knows a zone; its offsets it always does. */
export async function knowsTimeZone(db: BatchDb, timeZone: string): Promise<boolean> {
  if (/^[+-]/.test(timeZone)) return true;
  const found = await db.$queryRaw<unknown[]>`SELECT 1 FROM pg_timezone_names WHERE name = ${timeZone}`;
  return found.length > 0;
}
