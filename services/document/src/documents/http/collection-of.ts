import { AppError } from '@portal/kernel';
import { isCollectionName } from '../../collections/domain/collection-name.ts';
import type { Databases, OpenDatabase } from '../../databases/databases.ts';
import type { CollectionRef } from '../../store/document-store.ts';

/** A collection of a database that the caller may use for a purpose. */
export interface OpenCollection {
  readonly database: OpenDatabase;
  readonly collection: CollectionRef;
}

/** The collection in an address. Throws what `Databases.open` does, and `E40401` for what is no name of one. */
export async function collectionOf(
  databases: Databases,
  call: Parameters<Databases['open']>[0],
  address: { readonly db: string; readonly name: string },
  purpose: Parameters<Databases['open']>[2],
): Promise<OpenCollection> {
  const database = await databases.open(call, address, purpose);
  const { db, partnerId } = database;
  if (!isCollectionName(address.name)) throw new AppError('E40401');
  return { database, collection: { partnerId, db, collection: address.name } };
}
