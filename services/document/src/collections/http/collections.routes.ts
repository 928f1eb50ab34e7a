import { documentRoutes as routes } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { type Implementation, implement } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { collectionOf } from '../../documents/http/collection-of.ts';
import { pathOf } from '../../store/filter/filter.ts';
import { createCollection } from '../use-cases/create-collection.ts';
import { deleteCollection } from '../use-cases/delete-collection.ts';

/** The collections of databases, and their indexes. */
export function collectionsRoutes(deps: Dependencies): Implementation[] {
  const { databases, documents } = deps;
  return [
    implement(routes.listCollections, async ({ params }, call) => {
      const database = await databases.open(call, params, 'read');
      const collections = await documents.collections(database);
      return {
        collections: collections.map(({ bytes, documents, name }) => ({
          name,
          count: documents,
          size: bytes,
        })),
      };
    }),

    implement(routes.createCollection, async ({ body: { name }, params }, call) => {
      const { db, partnerId } = await databases.open(call, params, 'write');
      await createCollection(deps, { partnerId, db, collection: name });
      return { name };
    }),

    implement(routes.deleteCollection, async ({ params }, call) => {
      const { collection, database } = await collectionOf(databases, call, params, 'delete');
      await deleteCollection(deps, collection);
      databases.noteChange(database);
      return {};
    }),

    implement(routes.listIndexes, async ({ params }, call) => {
      const { collection } = await collectionOf(databases, call, params, 'read');
      return { indexes: (await documents.indexes(collection)).map((field) => ({ field })) };
    }),

    implement(routes.createIndex, async ({ body: { field }, params }, call) => {
      const { collection } = await collectionOf(databases, call, params, 'write');
      pathOf(field, 'field');
      await documents.createIndex(collection, field);
      return { field };
    }),

    implement(routes.deleteIndex, async ({ params, query }, call) => {
      const { collection } = await collectionOf(databases, call, params, 'delete');
      if (!(await documents.deleteIndex(collection, query.field))) throw new AppError('E40401');
      return {};
    }),
  ];
}
