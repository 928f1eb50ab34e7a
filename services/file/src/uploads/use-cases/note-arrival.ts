import { slices } from '@portal/kernel';
import type { JobRun } from '@portal/service-kit';
import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import {
  findSendableUploads,
  findUpload,
  multipartOf,
  saveArrival,
  type Upload,
} from '../data/version-repository.ts';
import { storedParts } from './stored-parts.ts';

type Measuring = Pick<Dependencies, 'clock' | 'storage' | 'store'>;

/** Bytes of an upload have arrived: with `stored`, to the end of a part or of the whole. An upload that is over stays as it is. */
export async function noteArrival(
  deps: Dependencies,
  { partnerId, stored, uploadId }: { partnerId: number; stored: boolean; uploadId: string },
): Promise<void> {
  const { clock, store } = deps;
  const upload = await store.read(ofPartner(partnerId), async (db) => findUpload(db, partnerId, uploadId));
  if (upload?.status !== 'uploading') return;
  const counted = stored ? { storedBytes: await countStored(deps, upload) } : {};
  await store.write(ofPartner(partnerId), async ({ db }) =>
    saveArrival(db, upload, { now: clock.now(), ...counted }),
  );
}

/** Counts again what is stored of an upload, and notes what has come meanwhile. */
export async function measureUpload(deps: Measuring, upload: Upload): Promise<void> {
  const { clock, store } = deps;
  const storedBytes = await countStored(deps, upload);
  if (storedBytes === upload.storedBytes) return;
  await store.write(ofPartner(upload.partnerId), async ({ db }) =>
    saveArrival(db, upload, { now: clock.now(), storedBytes }),
  );
}

const batch = 100;
/** The store is asked about as many at the same time: what is noted late looks as if it were interrupted. */
const atOnce = 10;

/**
 * For a store to which clients send the bytes past the gateway: nobody else tells what arrives there. One that the store does not answer
 * about holds up no others.
 */
export async function measureUploads(
  deps: Measuring & Pick<Dependencies, 'logger'>,
  { scope, stopping }: JobRun,
): Promise<void> {
  const { clock, logger, store } = deps;
  for (let afterId = 0; !stopping.aborted; ) {
    const found = await store.read(scope, async (db) =>
      findSendableUploads(db, { afterId, limit: batch, now: clock.now() }),
    );
    for (const some of slices(found, atOnce)) {
      await Promise.all(
        some.map(async (upload) =>
          measureUpload(deps, upload).catch((error: unknown) => {
            const about = { err: error, partnerId: upload.partnerId, versionId: upload.id };
            logger.warn(about, 'Upload not measured, will try again');
          }),
        ),
      );
    }
    if (found.length < batch) return;
    afterId = found.at(-1)?.id ?? 0;
  }
}

/** Bytes of whole parts, or of a single PUT. */
async function countStored(deps: Pick<Dependencies, 'storage'>, upload: Upload): Promise<number> {
  const multipart = multipartOf(upload);
  const parts = multipart ? await storedParts(deps, multipart) : [];
  if (parts.length > 0) return parts.reduce((sum, { size }) => sum + size, 0);
  return (await deps.storage.head(upload.incomingKey))?.size ?? 0;
}
