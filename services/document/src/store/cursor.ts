import { createHash } from 'node:crypto';
import { documentLimits } from '@portal/contracts';
import { fieldError } from '@portal/kernel';
import type { Sort } from './sort.ts';

/** What a cursor holds goes with one sort, and is the adapter's affair. */
export function writeCursor(sort: Sort, content: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([nameOf(sort), ...content])).toString('base64url');
}

/** Throws `E40002` on `after` for what is none of this sort. */
export function readCursor(text: string, sort: Sort): readonly unknown[] {
  if (text.length > documentLimits.cursorMaxLength) throw invalidCursor();
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    throw invalidCursor();
  }
  if (!Array.isArray(content) || content[0] !== nameOf(sort)) throw invalidCursor();
  return content.slice(1);
}

export const invalidCursor = (): Error => fieldError('E40002', 'after', 'invalidValue');

const longestName = 40;

/** A cursor has no room for all that a sort may be. */
function nameOf(sort: Sort): string {
  const name = sort.map(({ path, descending }) => `${descending ? '-' : ''}${path.join('.')}`).join(',');
  return name.length > longestName ? createHash('sha256').update(name).digest('base64url') : name;
}
