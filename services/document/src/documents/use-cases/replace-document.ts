import { AppError } from '@portal/kernel';
import type { Dependencies } from '../../dependencies.ts';
import type { CollectionRef, JsonObject, StoredDocument } from '../../store/document-store.ts';

/** Of a versioned call: see `Call` of the kit. */
export interface VersionCheck {
  readonly conditional: boolean;
  checkVersion(version: string | undefined): void;
}

/** Replaces a document as a whole, or makes it. Throws `E40034` where the caller names another version than it has. */
export async function replaceDocument(
  { documents }: Pick<Dependencies, 'documents'>,
  collection: CollectionRef,
  document: { readonly id: string; readonly content: JsonObject },
  check: VersionCheck,
): Promise<{ document: StoredDocument; isNew: boolean }> {
  const ifVersion = await namedVersion({ documents }, collection, document.id, check);
  return documents.replace(collection, document, ifVersion === undefined ? {} : { ifVersion });
}

/** Throws `E40401` for a document that is not there, `E40034` where the caller names another version than it has. */
export async function deleteDocument(
  { documents }: Pick<Dependencies, 'documents'>,
  collection: CollectionRef,
  id: string,
  check: VersionCheck,
): Promise<void> {
  const ifVersion = await namedVersion({ documents }, collection, id, check);
  const wasThere = await documents.delete(collection, id, ifVersion === undefined ? {} : { ifVersion });
  if (!wasThere) throw new AppError('E40401');
}

/** The version that the caller has named and that the document has; the store holds the change to it. */
async function namedVersion(
  { documents }: Pick<Dependencies, 'documents'>,
  collection: CollectionRef,
  id: string,
  { checkVersion, conditional }: VersionCheck,
): Promise<number | undefined> {
  if (!conditional) return undefined;
  const version = (await documents.read(collection, id))?.version;
  checkVersion(version === undefined ? undefined : String(version));
  return version;
}
