import type { PageReply } from '@portal/contracts';
import { type Editor, scopeOf } from '../../delivery/use-cases/distribution.ts';
import type { Dependencies } from '../../dependencies.ts';
import { type File, requireFile } from '../../files/data/file-repository.ts';
import { listVersionViews, type VersionView } from '../data/version-views.ts';

/**
 * The versions of a file, newest first.
 * @throws AppError `E40405`; `E40301` for an application, whose versions are its publisher's
 */
export async function listVersions(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  reader: Pick<Editor, 'partnerId' | 'scope'>,
  fileId: number,
  paging: { readonly page: number; readonly perPage: number },
): Promise<PageReply & { file: File; versions: VersionView[] }> {
  const { partnerId } = reader;
  return store.read(scopeOf(reader), async (db) => {
    const file = await requireFile(db, partnerId, fileId);
    return { file, ...(await listVersionViews(db, { fileId, partnerId }, paging, clock.now())) };
  });
}
