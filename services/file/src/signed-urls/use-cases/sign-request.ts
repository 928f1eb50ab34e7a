import { AppError, fieldError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import type { UnsignedRequest } from '@portal/storage';
import type { Editor } from '../../delivery/use-cases/distribution.ts';
import type { Dependencies } from '../../dependencies.ts';
import { extendUrls, saveArrival } from '../../uploads/data/version-repository.ts';
import { urlsEnd } from '../../uploads/use-cases/open-upload.ts';
import { requireOwnUpload } from '../../uploads/use-cases/require-upload.ts';

/**
 * The signature of a request by which a client sends the bytes of an upload to the store itself.
 * @throws AppError `E40002` on what is no request of an upload, or of another time than now; `E40401` for one of an upload
 * that the tenant does not have, and with a store that takes no such requests; `E40034` when the upload is over
 */
export async function signRequest(
  deps: Dependencies,
  uploader: Editor,
  request: UnsignedRequest,
): Promise<{ signature: string }> {
  const { clock, storage, store } = deps;
  if (!storage.remoteSigning) throw new AppError('E40401');
  const signed = storage.remoteSigning.sign(request);
  if (typeof signed === 'string') throw fieldError('E40002', signed, 'invalidValue');
  const { key, signature } = signed;
  const version = await requireOwnUpload(deps, uploader, key.slice(key.lastIndexOf('/') + 1));
  if (version.incomingKey !== key) throw new AppError('E40401');
  if (version.status !== 'uploading') throw new AppError('E40034');
  // Until then something may arrive under the key, which must not stay if the upload is aborted.
  await store.write(ofPartner(uploader.partnerId), async ({ db }) => {
    await extendUrls(db, version, urlsEnd(clock.now()));
    await saveArrival(db, version, { now: clock.now() });
  });
  return { signature };
}
