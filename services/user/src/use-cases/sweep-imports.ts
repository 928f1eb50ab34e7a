import { limits } from '@portal/contracts';
import { everything, ofPartner } from '@portal/service-kit';
import { findWaitingImports, forgetImports, giveUpImport } from '../data/import-repository.ts';
import type { ImportTools } from './import-tools.ts';
import { removeImportFiles } from './remove-import-files.ts';

const batch = 100;

/** Gives up imports whose file, or whose word to be applied, never came, and forgets what was over a week ago. */
export async function sweepImports(tools: ImportTools): Promise<void> {
  const { clock, store } = tools;
  const now = clock.now();
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const waiting = await store.read(everything, (db) =>
    findWaitingImports(db, ago(limits.importRetention), batch),
  );
  for (const { id, partnerId } of waiting) {
    await store.write(ofPartner(partnerId), ({ db }) =>
      giveUpImport(db, { id, partnerId }, 'importCancelled', now),
    );
  }
  await removeImportFiles(tools);
  await store.write(everything, ({ db }) => forgetImports(db, ago(limits.importErrorRetention)));
}
