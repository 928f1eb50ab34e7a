import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import type { KnownFiles } from '../../delivery/data/known-files.ts';
import type { Dependencies } from '../../dependencies.ts';
import { findUpload } from '../../uploads/data/version-repository.ts';

interface DeliveryUse {
  readonly purpose: 'delivery';
  readonly partnerId: number;
  readonly accountId: number;
  readonly fileId: number;
  /** Of the bytes of a version: the device that gets them. */
  readonly receiver?: { readonly platformUuid: string; readonly version: number } | undefined;
}

/** What a signed address was given for. */
type Use =
  | DeliveryUse
  | { readonly purpose: 'file'; readonly partnerId: number; readonly fileId: number }
  | { readonly purpose: 'upload'; readonly partnerId: number; readonly uploadId: string };

/**
 * Whether what an address was given for still holds: a file that is delivered to the player at this moment, one that the
 * tenant has, an upload that takes bytes.
 * @throws AppError `E40405` when it has ended
 */
export async function checkAddress(
  { knownFiles, store }: Pick<Dependencies, 'store'> & { readonly knownFiles: KnownFiles },
  use: Use,
): Promise<void> {
  if (!(await holds())) throw new AppError('E40405');

  /** A version that was taken back from the device, as by a halt, is not its any more. One that a newer one follows may be read on. */
  async function isDeliveredTo({ accountId, fileId, partnerId, receiver }: DeliveryUse): Promise<boolean> {
    const player = { partnerId, userId: accountId, uuid: receiver?.platformUuid };
    const files = await knownFiles.deliveredTo(player);
    const newest = files.get(fileId);
    return (
      files.has(fileId) && (newest === undefined || receiver === undefined || receiver.version <= newest)
    );
  }

  async function holds(): Promise<boolean> {
    const { partnerId } = use;
    switch (use.purpose) {
      case 'delivery':
        return isDeliveredTo(use);
      case 'file':
        return (await knownFiles.ofPartner(partnerId)).has(use.fileId);
      case 'upload': {
        const { uploadId } = use;
        const upload = await store.read(ofPartner(partnerId), async (db) =>
          findUpload(db, partnerId, uploadId),
        );
        return upload?.status === 'uploading';
      }
    }
  }
}
