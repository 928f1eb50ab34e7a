import type { Clock, Logger } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import type { ObjectStorage } from '@portal/storage';
import type { ChangeWatch } from '../data/change-watch.ts';
import { beginChange, type Change } from '../data/changes.ts';
import type { FileStore } from '../data/db.ts';

/** Bytes that a tenant may store; 0 is unlimited. */
export type QuotaOf = (partnerId: number) => Promise<number>;

/** What the use cases of this service work with. */
export interface FileTools {
  readonly store: FileStore;
  readonly storage: ObjectStorage;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly watch: ChangeWatch;
  readonly quotaOf: QuotaOf;
}

/** Runs `work` as one change of the tenant. When it is acknowledged, the next request of a player sees it. */
export async function changeFiles<T>(
  { store, watch }: Pick<FileTools, 'store' | 'watch'>,
  partnerId: number,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  try {
    return await store.write(ofPartner(partnerId), async (tx) => work(await beginChange(tx, partnerId)));
  } finally {
    watch.forget(partnerId);
  }
}
