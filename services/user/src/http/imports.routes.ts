import { userRoutes } from '@portal/contracts';
import { openUserImport as openUserImportContract } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { type Implementation, implement, ofPartner, StreamReply } from '@portal/service-kit';
import { importStatus } from '../data/import-views.ts';
import type { Dependencies } from '../dependencies.ts';
import { exportImportErrors } from '../use-cases/export-import-errors.ts';
import { openUserImport } from '../use-cases/open-user-import.ts';
import { applyCheckedImport, cancelUserImport } from '../use-cases/steer-user-import.ts';

/** Imports of users. Their uploads are opened at the file service, which asks here. */
export function importsRoutes(dependencies: Dependencies): Implementation[] {
  const { store } = dependencies;
  return [
    implement(openUserImportContract, async ({ body }) => openUserImport(dependencies, body)),

    implement(userRoutes.getUserImport, async ({ params, query }, { language }) => {
      const key = { partnerId: params.pid, id: query.batchProcessId };
      const status = await store.read(ofPartner(params.pid), (db) => importStatus(db, key, language));
      if (!status) throw new AppError('E40401');
      return status;
    }),

    implement(userRoutes.applyUserImport, async ({ params, body }) => {
      await applyCheckedImport(dependencies, { partnerId: params.pid, id: body.batchProcessId });
      return {};
    }),

    implement(userRoutes.cancelUserImport, async ({ params, body }) => {
      await cancelUserImport(dependencies, { partnerId: params.pid, id: body.batchProcessId });
      return {};
    }),

    implement(userRoutes.exportUserImportErrors, async ({ params, query }, { language }) => {
      const key = { partnerId: params.pid, id: query.batchProcessId };
      return new StreamReply(await exportImportErrors(dependencies, key, language), {
        contentType: 'text/csv; charset=utf-8',
        fileName: 'import_errors.csv',
      });
    }),
  ];
}
