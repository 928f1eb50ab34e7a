import { operationRoutes as contracts } from '@portal/contracts';
import { type Implementation, implement, ofPartner, type ServiceContext } from '@portal/service-kit';
import type { BatchDb } from '../data/db.ts';
import { listOperations } from '../data/operation-list.ts';
import { operationView } from '../data/operation-views.ts';

/** The operation log, page by page. */
export function operationRoutes({
  store,
}: Pick<ServiceContext<BatchDb, unknown>, 'store'>): Implementation[] {
  return [
    implement(contracts.listOperationLogs, async ({ params, query }, { language }) => {
      const partnerId = params.pid;
      const page = await store.read(ofPartner(partnerId), (db) =>
        listOperations(db, { ...query, partnerId }),
      );
      return { ...page, operationLogs: page.operations.map((row) => operationView(row, language)) };
    }),
    implement(contracts.listAllOperationLogs, async ({ query }, { language, scope }) => {
      const page = await store.read(scope, (db) => listOperations(db, { ...query, partnerId: null }));
      return { ...page, operationLogs: page.operations.map((row) => operationView(row, language)) };
    }),
  ];
}
