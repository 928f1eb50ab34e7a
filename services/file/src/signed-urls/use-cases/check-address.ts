import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import type { KnownFiles } from '../../delivery/data/known-files.ts';
import type { Dependencies } from '../../dependencies.ts';
import { findUpload } from '../../uploads/data/version-repository.ts';

/** What a signed address was given for. */
type Use =
  | {
      readonly purpose: 'delivery';
      readonly partnerId: number;
      readonly accountId: number;
      readonly fileId: number;
    }
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

  async function holds(): Promise<boolean> {
    const { partnerId } = use;
    switch (use.purpose) {
      case 'delivery':
        return (await knownFiles.deliveredTo({ partnerId, userId: use.accountId })).has(use.fileId);
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
