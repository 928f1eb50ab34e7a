import { documentEvents } from '@portal/contracts';
import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import type { CollectionRef } from '../../store/document-store.ts';

/** Throws `E40029` on the name when the database has a collection with it, `E40016` when it has as many as it may. */
export async function createCollection(
  { documents, store }: Pick<Dependencies, 'documents' | 'store'>,
  collection: CollectionRef,
): Promise<void> {
  await documents.createCollection(collection);
  await store.write(ofPartner(collection.partnerId), async ({ outbox }) => {
    outbox.append(documentEvents.collectionCreated, {
      subject: collection.partnerId,
      partnerId: collection.partnerId,
      data: collection,
    });
  });
}
