import type { CollectionRef, DocumentStore } from '../../src/store/document-store.ts';
import type { Filter } from '../../src/store/filter/filter.ts';

/** All lines of a stream. */
export async function exportedLines(
  store: DocumentStore,
  ref: CollectionRef,
  filter?: Filter,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const text of store.stream(ref, { ...(filter && { filter }), between: '\n' })) {
    lines.push(...text.toString().split('\n'));
  }
  return lines;
}

export const idOf = (line: string): string => (JSON.parse(line) as { readonly _id: string })._id;
