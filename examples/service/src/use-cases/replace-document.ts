import { ofPartner } from '@portal/service-kit';
import { lockNotice, saveDocument } from '../data/notice-repository.ts';
import type { Dependencies } from '../dependencies.ts';

/**
 * Throws `E40401` for a notice that the partner does not have, and what `checkVersion` throws for the version that the
 * document has; undefined: there is none.
 */
export async function replaceDocument(
  { store }: Pick<Dependencies, 'store'>,
  key: { readonly partnerId: number; readonly id: number },
  document: object,
  checkVersion: (version: string | undefined) => void,
): Promise<{ isFirst: boolean; version: string }> {
  return store.write(ofPartner(key.partnerId), async ({ db }) => {
    const before = await lockNotice(db, key);
    const isFirst = before.document === null;
    checkVersion(isFirst ? undefined : String(before.documentVersion));
    const version = before.documentVersion + 1;
    await saveDocument(db, key, { text: JSON.stringify(document), version });
    return { isFirst, version: String(version) };
  });
}
