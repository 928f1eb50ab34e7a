import { createHash } from 'node:crypto';
import { type Sql, sqltag as sql } from '@prisma/client/runtime/client';

const mark = '/* kept plan */';

/**
 * Within a statement: each connection plans it once and keeps the plan. For statements that come very often, take longer to plan than
 * to run, and have the same plan whatever their values are; others are planned anew for the values that they come with.
 */
export const keptPlan: Sql = sql`/* kept plan */`;

const names = new Map<string, string>();

/** The name under which a connection keeps the plan of a statement; undefined: it keeps none. */
export function planName(text: string): string | undefined {
  if (!text.includes(mark)) return undefined;
  const known = names.get(text);
  if (known !== undefined) return known;
  // The text decides, or a statement would get the plan of another.
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
  names.set(text, name);
  return name;
}
