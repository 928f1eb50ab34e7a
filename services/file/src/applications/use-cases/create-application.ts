import type { Peers } from '@portal/service-kit';
import { operator } from '@portal/storage';
import type { Dependencies } from '../../dependencies.ts';
import { insertFile } from '../../files/data/file-repository.ts';
import { assertPackage } from '../../files/domain/package.ts';
import { changeFiles } from '../../files/use-cases/change-files.ts';
import type { NewVersion } from '../../files/use-cases/update-file.ts';
import type { Version } from '../../uploads/data/version-repository.ts';
import { openUpload } from '../../uploads/use-cases/open-upload.ts';
import { setDestinations } from '../data/destination-repository.ts';
import type { Destinations } from '../domain/destinations.ts';
import { type Publisher, requirePublishing, requireReachable } from './publisher.ts';

/**
 * Registers an application and opens the upload of its first version. Nobody has it before that is complete.
 * @throws AppError `E40002` on `file` for what is no package; `E40301` for sale type 1 where the unit may not; `E40402`,
 * `E40305` on `partnerIds`; `E40019`
 */
export async function createApplication(
  deps: Dependencies & { readonly peers: Peers },
  publisher: Publisher,
  application: NewVersion & {
    readonly name: string;
    readonly saleType: number;
    readonly destinations: Destinations;
    readonly versionNote: string;
  },
): Promise<{ id: number; version: Version }> {
  const { destinations, fileName, fileSize: size, fingerprint, name, saleType, versionNote } = application;
  assertPackage(fileName, size);
  const unitName = await requirePublishing(deps, publisher, saleType);
  await requireReachable(deps, publisher, publisher.unitId, destinations);
  const creator = await deps.creatorOf({ partnerId: operator, accountId: publisher.adminId });
  const created = await changeFiles(deps, operator, async (change) => {
    const now = deps.clock.now();
    const file = await insertFile(change, {
      name,
      note: '',
      fileName,
      deliverReservationAt: null,
      now,
      application: { unitId: publisher.unitId, publisher: unitName, saleType },
    });
    await setDestinations(change, file, destinations, now);
    return {
      id: file.id,
      version: await openUpload(deps, change, {
        file,
        slot: 'current',
        size,
        fingerprint,
        quota: 0,
        creator,
        note: versionNote,
      }),
    };
  });
  deps.logger.info({ fileId: created.id, size, unitId: publisher.unitId }, 'Application registered');
  return created;
}
