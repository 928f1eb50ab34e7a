import { concernsRecord } from '@portal/service-kit';
import { operator } from '@portal/storage';
import type { Dependencies } from '../../dependencies.ts';
import { requireFile } from '../../files/data/file-repository.ts';
import { changeFiles } from '../../files/use-cases/change-files.ts';
import { dropFile } from '../../files/use-cases/delete-file.ts';
import { endDestinations } from '../data/destination-repository.ts';
import { type Publisher, requireApplication } from './publisher.ts';

/**
 * Deletes an application as a file is deleted: players remove it, and its bytes go after seven days.
 * @throws AppError `E40405`
 */
export async function deleteApplication(deps: Dependencies, publisher: Publisher, id: number): Promise<void> {
  concernsRecord(await requireApplication(deps, publisher, id));
  await changeFiles(deps, operator, async (change) => {
    // Those who were told that it is gone are not told again.
    await endDestinations(change, id);
    await dropFile(change, await requireFile(change.db, operator, id), deps.clock.now());
  });
}
