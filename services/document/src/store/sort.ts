import { documentLimits } from '@portal/contracts';
import { fieldError } from '@portal/kernel';
import { type Path, pathOf } from './filter/filter.ts';

export interface SortKey {
  readonly path: Path;
  readonly descending: boolean;
}

/** By its keys, then by `_id`. */
export type Sort = readonly SortKey[];

const mostKeys = 8;
const mostFields = 50;

/** Reads `a,-b.c`. Throws `E40002` on `sort` for what is none. */
export function parseSort(text: string): Sort {
  if (text === '') return [];
  const keys = text.split(',');
  if (text.length > documentLimits.sortMaxLength || keys.length > mostKeys) throw invalid('sort');
  return keys.map((key) => {
    const descending = key.startsWith('-');
    return { path: pathOf(descending ? key.slice(1) : key, 'sort'), descending };
  });
}

/** Reads `a,b.c`, the paths that alone are answered. Throws `E40002` on `fields` for what is none. */
export function parseFields(text: string): readonly string[] {
  const fields = [...new Set(text.split(','))];
  if (text.length > documentLimits.fieldsMaxLength || fields.length > mostFields) throw invalid('fields');
  for (const field of fields) pathOf(field, 'fields');
  return fields;
}

const invalid = (field: string): Error => fieldError('E40002', field, 'invalidValue');
