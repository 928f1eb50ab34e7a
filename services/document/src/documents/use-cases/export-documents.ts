import type { CollectionRef, DocumentStore, Filter } from '../../store/document-store.ts';

/** The documents in the order of their ids, read while the client takes them. What is wrong is thrown before anything is answered. */
export async function* exportDocuments(
  { documents }: { readonly documents: Pick<DocumentStore, 'stream'> },
  collection: CollectionRef,
  { filter, format }: { readonly filter?: Filter; readonly format: 'lines' | 'array' },
): AsyncGenerator<Buffer | string> {
  const isArray = format === 'array';
  let isFirst = true;
  for await (const some of documents.stream(collection, {
    ...(filter && { filter }),
    between: isArray ? ',\n' : '\n',
  })) {
    if (isArray) yield isFirst ? '[\n' : ',\n';
    yield some;
    if (!isArray) yield '\n';
    isFirst = false;
  }
  if (isArray) yield isFirst ? '[]\n' : '\n]\n';
}
