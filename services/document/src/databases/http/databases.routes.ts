import { adminRoleBits, hasAnyRole, databaseRoutes as routes } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { type Implementation, implement, ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { keyOf } from '../data/database-repository.ts';
import { databaseFields, databaseRow, listDatabases, type Shown } from '../data/database-views.ts';
import { refusalOf } from '../domain/contract.ts';
import { createDatabase } from '../use-cases/create-database.ts';
import { deleteDatabase } from '../use-cases/delete-database.ts';
import { renewKey } from '../use-cases/renew-key.ts';
import { updateDatabase } from '../use-cases/update-database.ts';

/** The databases of partners as administrators see them, and the keys of databases. */
export function databasesRoutes(deps: Dependencies): Implementation[] {
  const { cipher, clock, contractedQuota, databases, known, store } = deps;
  const shown: Shown = {
    contractedQuota,
    keyIn: ({ apiKey, partnerId }) => cipher.open(apiKey, keyOf(partnerId)),
  };

  async function row(partnerId: number) {
    const found = await store.read(ofPartner(partnerId), async (db) => databaseRow(db, partnerId, shown));
    if (!found) throw new AppError('E40401');
    return found;
  }

  return [
    implement(routes.listDatabases, async ({ query }, { scope }) =>
      store.read(scope, async (db) => listDatabases(db, query, shown)),
    ),

    implement(routes.getDatabase, async ({ params: { pid } }, { caller }) => {
      const found = await row(pid);
      // Whoever reads of tenants may not write as they may.
      return hasAnyRole(caller.role, adminRoleBits.partnerAdministration)
        ? found
        : { ...found, apiKey: null };
    }),

    implement(routes.createDatabase, async ({ body, params: { pid } }) => {
      await createDatabase(deps, pid, body);
      return row(pid);
    }),

    implement(routes.updateDatabase, async ({ body, params: { pid } }) => {
      await updateDatabase(deps, pid, body);
      return row(pid);
    }),

    implement(routes.deleteDatabase, async ({ params: { pid } }) => {
      await deleteDatabase(deps, pid);
      return {};
    }),

    implement(routes.renewDatabaseKey, async ({ params: { pid } }) => ({
      apiKey: await renewKey(deps, pid),
    })),

    implement(routes.getOwnDatabaseKey, async ({ params }, call) => {
      const { partnerId } = await databases.open(call, params, 'read');
      const { apiKey } = await row(partnerId);
      return { apiKey };
    }),

    implement(routes.renewOwnDatabaseKey, async ({ params }, call) => {
      // As long as it opens anything, a key that has become known can be stopped.
      const { partnerId } = await databases.open(call, params, 'read');
      return { apiKey: await renewKey(deps, partnerId) };
    }),

    implement(routes.getOwnDatabase, async (_, { caller: { partnerId } }) => {
      const database = await known.of(partnerId);
      if (!database) throw new AppError('E40401');
      const now = clock.now();
      return {
        ...databaseFields(database, contractedQuota),
        readable: refusalOf(database, 'read', now) === undefined,
        writable: refusalOf(database, 'write', now) === undefined,
      };
    }),
  ];
}
