import { limits } from '@portal/contracts';
import { type JobRun, ofPartner } from '@portal/service-kit';
import { cancelImport, findWaitingImports, forgetImports } from '../data/import-repository.ts';
import type { ImportDependencies } from '../dependencies.ts';
import { removeImportFiles } from './remove-import-files.ts';

const batch = 100;

/** Gives up imports whose file, or whose word to be applied, never came, and forgets what was over a week ago. */
export async function sweepImports(deps: ImportDependencies, run: JobRun): Promise<void> {
  const { clock, store } = deps;
  const now = clock.now();
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const waiting = await store.read(run.scope, (db) =>
    findWaitingImports(db, ago(limits.importRetention), batch),
  );
  for (const { id, partnerId } of waiting) {
    await store.write(ofPartner(partnerId), ({ db }) =>
      cancelImport(db, { id, partnerId }, 'importCancelled', now),
    );
  }
  await removeImportFiles(deps, run);
  await store.write(run.scope, ({ db }) => forgetImports(db, ago(limits.importErrorRetention)));
}
