import { isObject, type Json } from './json.ts';

/** So deep and so many are learned of a page: what is suggested must be read. */
const deepest = 4;
const mostFields = 500;
const mostValues = 12;
const longestValue = 60;

/** What is known of a field: values that it has, where they are few. */
export interface KnownField {
  readonly path: string;
  readonly values: readonly (string | number | boolean | null)[];
}

type Scalar = string | number | boolean | null;

/** Collects the fields of documents as they are shown; those of a collection differ from document to document. */
export function createFieldLearner() {
  const known = new Map<string, Set<Scalar>>();

  function learn(value: Json, path: string, depth: number): void {
    if (Array.isArray(value)) {
      for (const one of value.slice(0, 5) as Json[]) learn(one, path, depth);
    } else if (isObject(value)) {
      if (depth >= deepest) return;
      for (const [key, one] of Object.entries(value)) {
        // A dot in a key would be taken for a way into an object.
        if (key === '' || key.includes('.')) continue;
        const below = path === '' ? key : `${path}.${key}`;
        if (!known.has(below)) {
          if (known.size >= mostFields) continue;
          known.set(below, new Set());
        }
        learn(one, below, depth + 1);
      }
    } else {
      const values = known.get(path);
      const isShort = typeof value !== 'string' || value.length <= longestValue;
      // One more than are suggested tells that they are many.
      if (values && isShort && values.size <= mostValues) values.add(value as Scalar);
    }
  }

  return {
    learn(documents: readonly Json[]): void {
      for (const document of documents) learn(document, '', 0);
    },
    fields: (): readonly KnownField[] =>
      [...known].map(([path, values]) => ({ path, values: values.size > mostValues ? [] : [...values] })),
  };
}
