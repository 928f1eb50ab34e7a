import { userRoutes } from '@portal/contracts';
import { openUserImport as openUserImportContract } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { type Implementation, implement, ofPartner } from '@portal/service-kit';
import { listImportChanges } from '../data/import-change-views.ts';
import { findImport } from '../data/import-repository.ts';
import { importStatus } from '../data/import-views.ts';
import type { Dependencies } from '../dependencies.ts';
import { applyCheckedImport } from '../use-cases/apply-checked-import.ts';
import { cancelUserImport } from '../use-cases/cancel-user-import.ts';
import { exportImportErrors } from '../use-cases/export-import-errors.ts';
import { openUserImport } from '../use-cases/open-user-import.ts';

/** Imports of users. Their uploads are opened at the file service, which asks here. */
export function importsRoutes(deps: Dependencies): Implementation[] {
  const { store } = deps;
  return [
    implement(openUserImportContract, async ({ body }) => openUserImport(deps, body)),

    implement(userRoutes.getUserImport, async ({ params, query }, { language }) => {
      const key = { partnerId: params.pid, id: query.batchProcessId };
      const status = await store.read(ofPartner(params.pid), (db) => importStatus(db, key, language));
      if (!status) throw new AppError('E40401');
      return status;
    }),

    implement(userRoutes.listUserImportChanges, async ({ params, query }) => {
      const key = { partnerId: params.pid, id: query.batchProcessId };
      return store.read(ofPartner(params.pid), async (db) => {
        const found = await findImport(db, key);
        if (!found) throw new AppError('E40401');
        if (found.changeCount === null) throw new AppError('E40034');
        return listImportChanges(db, key, query);
      });
    }),

    implement(userRoutes.applyUserImport, async ({ params, body }) => {
      await applyCheckedImport(deps, { partnerId: params.pid, id: body.batchProcessId }, body);
      return {};
    }),

    implement(userRoutes.cancelUserImport, async ({ params, body }) => {
      await cancelUserImport(deps, { partnerId: params.pid, id: body.batchProcessId });
      return {};
    }),

    implement(userRoutes.exportUserImportErrors, async ({ params, query }, { language }) => {
      const key = { partnerId: params.pid, id: query.batchProcessId };
      return {
        content: await exportImportErrors(deps, key, language),
        fileName: 'import_errors.csv',
      };
    }),
  ];
}
