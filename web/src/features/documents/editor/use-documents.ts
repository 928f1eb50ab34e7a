import { ApiError } from '@portal/api-client';
import { documentRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useApi, useApiList, useApiQuery } from '../../../lib/api.ts';
import type { EditorAddress } from './editor-address.ts';
import { filterQuery, readFilter } from './filter-text.ts';
import { createFieldLearner, type KnownField } from './known-fields.ts';
import { useDatabase } from './open-database.ts';
import type { StoredDocument } from './stored-document.ts';

export function useCollections() {
  const { db } = useDatabase();
  return useApiQuery(documentRoutes.listCollections, { params: { db } });
}

/** Has the documents and the counts asked for again that a change has touched. */
export function useDocumentsChanged(): () => Promise<unknown> {
  const queries = useQueryClient();
  const stale = [
    documentRoutes.listCollections,
    documentRoutes.listDocuments,
    documentRoutes.getDocument,
    documentRoutes.listIndexes,
  ];
  return () => Promise.all(stale.map(({ id }) => queries.invalidateQueries({ queryKey: [id] })));
}

/** A page of documents, and the pages before and after it. */
export function useDocuments({ filter: written, name, perPage, sort }: EditorAddress) {
  const { db } = useDatabase();
  const read = readFilter(written);
  const filter = read.problem ? undefined : filterQuery(read.filter);
  // Another list begins at its first page.
  const list = JSON.stringify([db, name, filter, sort, perPage]);
  const [at, setAt] = useState<{ list: string; cursors: readonly string[] }>({ list, cursors: [] });
  const cursors = at.list === list ? at.cursors : [];
  const query = useApiList(documentRoutes.listDocuments, {
    params: { db, name },
    query: { filter, sort: sort || undefined, perPage, after: cursors.at(-1) },
  });
  const { data } = query;
  const isLater = cursors.length > 0;
  const isEmpty = data?.documents.length === 0;
  const toPrevious = () => setAt({ list, cursors: cursors.slice(0, -1) });
  // The last rows of the last page are gone.
  if (isLater && isEmpty && !query.isFetching) toPrevious();
  // Only the first page can be without any, and only once that is known. The schema leaves the names of the tenant as they are.
  const documents =
    isEmpty && (isLater || query.isPlaceholderData)
      ? undefined
      : (data?.documents as readonly StoredDocument[] | undefined);
  const next = data?.after ?? undefined;
  return {
    query,
    documents,
    totalCount: data?.totalCount,
    filter,
    /** How many come before the page. */
    before: cursors.length * perPage,
    toNext:
      next === undefined || query.isPlaceholderData
        ? undefined
        : () => setAt({ list, cursors: [...cursors, next] }),
    toPrevious: isLater ? toPrevious : undefined,
  };
}

/** The fields of what has been shown of a collection. */
export function useKnownFields(
  name: string,
  documents: readonly StoredDocument[] | undefined,
): readonly KnownField[] {
  const learner = useMemo(createFieldLearner, [name]);
  const [fields, setFields] = useState<readonly KnownField[]>([]);
  useEffect(() => {
    if (documents) learner.learn(documents);
    setFields(learner.fields());
  }, [learner, documents]);
  return fields;
}

/** The calls that change documents of a collection. */
export function useDocumentCalls(name: string) {
  const { db } = useDatabase();
  const api = useApi();
  const params = { db, name };
  const at = (id: string) => ({ ...params, id });
  return {
    /** The document as it is now; undefined where it is gone. */
    async find(id: string): Promise<StoredDocument | undefined> {
      try {
        return (await api.call(documentRoutes.getDocument, { params: at(id) })) as StoredDocument;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return undefined;
        throw error;
      }
    },
    create: (body: object) =>
      api.call(documentRoutes.createDocument, { params, body: { ...body } }) as Promise<StoredDocument>,
    /** Of one version alone; without one, whatever is there. */
    replace: (id: string, body: object, version: number | undefined) =>
      api.call(documentRoutes.replaceDocument, {
        params: at(id),
        body: { ...body },
        ...(version !== undefined && { ifMatch: String(version) }),
      }) as Promise<StoredDocument>,
    removeMatching: (filter: string) =>
      api.call(documentRoutes.deleteDocuments, { params, query: { filter } }),
  };
}
