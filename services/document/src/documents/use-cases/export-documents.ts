import type { CollectionRef, DocumentStore, Filter } from '../../store/document-store.ts';
import { lineOf } from '../written-document.ts';

/** The documents in the order of their ids, read while the client takes them. What is wrong is thrown before anything is answered. */
export async function* exportDocuments(
  { documents }: { readonly documents: Pick<DocumentStore, 'stream'> },
  collection: CollectionRef,
  { filter, format }: { readonly filter?: Filter; readonly format: 'lines' | 'array' },
): AsyncGenerator<string> {
  const isArray = format === 'array';
  let isFirst = true;
  for await (const some of documents.stream(collection, filter && { filter })) {
    if (some.length === 0) continue;
    const lines = some.map(lineOf);
    if (isArray) yield `${isFirst ? '[\n' : ',\n'}${lines.join(',\n')}`;
    else yield `${lines.join('\n')}\n`;
    isFirst = false;
  }
  if (isArray) yield isFirst ? '[]\n' : '\n]\n';
}
