import { documentRoutes as routes } from '@portal/contracts';
import { pageReply } from '@portal/database';
import { AppError, fieldError, newId } from '@portal/kernel';
import { Answer, type Implementation, implement, WrittenJson } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import type { StoredDocument } from '../../store/document-store.ts';
import { parseFilter } from '../../store/filter/filter.ts';
import { parseFields, parseSort } from '../../store/sort.ts';
import { lineOf, written, writtenFields } from '../../store/written-document.ts';
import { contentIn, documentIn, Fault, isDocumentId } from '../domain/document.ts';
import { lineMessage } from '../domain/line-message.ts';
import { exportDocuments } from '../use-cases/export-documents.ts';
import { importDocuments } from '../use-cases/import-documents.ts';
import { deleteDocument, replaceDocument } from '../use-cases/replace-document.ts';
import { collectionOf } from './collection-of.ts';

/** The documents of collections: one by one, in lists, and as streams. */
export function documentsRoutes(deps: Dependencies): Implementation[] {
  const { databases, documents } = deps;
  return [
    implement(routes.listDocuments, async ({ params, query }, call) => {
      const { collection } = await collectionOf(databases, call, params, 'read');
      const fields = query.fields === undefined ? undefined : parseFields(query.fields);
      const page = await documents.list(collection, {
        ...filterIn(query),
        ...(query.sort !== undefined && { sort: parseSort(query.sort) }),
        ...(fields && { fields }),
        ...(query.after === undefined ? { page: query.page } : { after: query.after }),
        perPage: query.perPage,
      });
      const { after, totalCount } = page;
      return {
        ...pageReply(totalCount, query),
        documents: page.documents.map((document) =>
          fields ? writtenFields(document, fields) : written(document),
        ),
        after,
      };
    }),

    implement(routes.createDocument, async ({ body, params }, call) => {
      const { collection, database } = await collectionOf(databases, call, params, 'write');
      const { content, id = newId() } = stated(documentIn(body));
      const document = await documents.insert(collection, { id, content });
      databases.noteChange(database);
      return new Answer(201, ...shown(document));
    }),

    implement(routes.deleteDocuments, async ({ params, query }, call) => {
      const { collection, database } = await collectionOf(databases, call, params, 'delete');
      const filter = parseFilter(query.filter);
      // Where it fails, some may be gone.
      const count = await documents
        .deleteMatching(collection, filter)
        .finally(() => databases.noteChange(database));
      return { count };
    }),

    implement(routes.getDocument, async ({ params }, call) => {
      const { collection } = await collectionOf(databases, call, params, 'read');
      const document = isDocumentId(params.id) ? await documents.read(collection, params.id) : undefined;
      if (!document) throw new AppError('E40401');
      return new Answer(200, ...shown(document));
    }),

    implement(routes.replaceDocument, async ({ body, params }, call) => {
      const { collection, database } = await collectionOf(databases, call, params, 'write');
      const { id } = params;
      if (!isDocumentId(id)) throw fieldError('E40002', '_id', 'documentId');
      const content = stated(contentIn(body));
      const { document, isNew } = await replaceDocument(deps, collection, { id, content }, call);
      databases.noteChange(database);
      return new Answer(isNew ? 201 : 200, ...shown(document));
    }),

    implement(routes.deleteDocument, async ({ params }, call) => {
      const { collection, database } = await collectionOf(databases, call, params, 'delete');
      if (!isDocumentId(params.id)) throw new AppError('E40401');
      await deleteDocument(deps, collection, params.id, call);
      databases.noteChange(database);
      return {};
    }),

    implement(routes.importDocuments, async ({ body: { content, type }, params, query }, call) => {
      const { collection, database } = await collectionOf(databases, call, params, 'write');
      const { badLines, count, failed } = await importDocuments(deps, collection, {
        allOrNothing: query.allOrNothing ?? false,
        content,
        mayBeArray: type === 'application/json',
        mode: query.mode,
        quotaBytes: database.quotaBytes,
      });
      const lineErrors = badLines.map(({ fault, line }) => ({
        line,
        message: lineMessage(fault, call.language),
      }));
      return { count, lineErrors, failed };
    }),

    implement(routes.exportDocuments, async ({ params, query }, call) => {
      const { collection } = await collectionOf(databases, call, params, 'read');
      const { format } = query;
      return {
        content: exportDocuments(deps, collection, { ...filterIn(query), format }),
        ...(format === 'array'
          ? { type: 'application/json' as const, fileName: `${params.name}.json` }
          : { fileName: `${params.name}.ndjson` }),
      };
    }),
  ];
}

const filterIn = ({ filter }: { readonly filter?: string | undefined }) =>
  filter === undefined ? {} : { filter: parseFilter(filter) };

const shown = (document: StoredDocument): [WrittenJson, { readonly version: string }] => [
  new WrittenJson(lineOf(document)),
  { version: String(document.version) },
];

/** What a body states. Throws `E40002` on the field that is wrong. */
function stated<T extends object>(result: T | Fault): T {
  if (result instanceof Fault) throw new AppError('E40002', [result.error]);
  return result;
}
