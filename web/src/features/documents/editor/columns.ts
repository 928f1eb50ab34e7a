import { type Json, typeOf, type ValueType } from './json.ts';
import { keptFields, type StoredDocument } from './stored-document.ts';

export interface FieldColumn {
  readonly field: string;
  /** The types that its values have on this page, the most frequent first; none where it is always missing. */
  readonly types: readonly ValueType[];
}

/** More than a person can take in; the others are in each document. */
export const mostColumns = 30;

const last = '_updated_at';

/**
 * The columns of a page of documents: their id, then their fields in the order in which they come up, and when they were
 * changed.
 */
export function columnsOf(documents: readonly StoredDocument[]): {
  readonly columns: readonly FieldColumn[];
  /** How many fields have no column. */
  readonly left: number;
} {
  const found = new Map<string, Map<ValueType, number>>();
  for (const document of documents) {
    for (const [field, value] of Object.entries<Json>(document)) {
      if (keptFields.some((kept) => kept === field && kept !== last)) continue;
      const types = found.get(field) ?? new Map<ValueType, number>();
      const type = typeOf(value);
      types.set(type, (types.get(type) ?? 0) + 1);
      found.set(field, types);
    }
  }
  const columnOf = (field: string): FieldColumn => ({
    field,
    types: [...(found.get(field) ?? [])].toSorted(([, a], [, b]) => b - a).map(([type]) => type),
  });
  const fields = [...found.keys()].filter((field) => field !== '_id' && field !== last);
  return {
    columns: ['_id', ...fields.slice(0, mostColumns), last].map(columnOf),
    left: Math.max(0, fields.length - mostColumns),
  };
}
