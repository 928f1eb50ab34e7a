import { fieldError } from '@portal/kernel';
import type { SqlExecutor } from '@portal/messaging';

/** PostgreSQL reads all its zones to say whether it has one, for some 40 ms. What it has it keeps as long as it runs. */
const known = new Set<string>();

/**
 * The one name of a time zone, as in `Asia/Tokyo` or `+09:00`, of all that stand for it. Times of a CSV are told here or by
 * PostgreSQL: a zone is one that both know, whichever file it is for. Throws `E40002` on tz for any other.
 */
export async function knownTimeZone(db: SqlExecutor, timeZone: string): Promise<string> {
  const name = new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  // Offsets PostgreSQL always knows.
  if (/^[+-]/.test(name) || known.has(name)) return name;
  const found = await db.$queryRawUnsafe<unknown[]>('SELECT 1 FROM pg_timezone_names WHERE name = $1', name);
  if (found.length === 0) throw fieldError('E40002', 'tz', 'invalidValue');
  known.add(name);
  return name;
}
