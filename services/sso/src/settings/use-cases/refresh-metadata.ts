import type { Scope } from '@portal/database';
import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { MetadataNotFetched } from '../../identity-provider/http/fetch-metadata.ts';
import {
  type ClaimedSetting,
  claimDoubt,
  claimDue,
  saveFailure,
  saveMetadata,
} from '../data/setting-repository.ts';
import { readProvider, storedMetadata } from './obtain-metadata.ts';

type Needed = Pick<Dependencies, 'acceptsLoopback' | 'clock' | 'fetchMetadata' | 'logger' | 'store'>;

const minute = 60_000;
/** A claim of an instance that has died is free again then, and what failed is tried again. */
const retryMs = 60 * minute;
/** How many are fetched at the same time: each may take ten seconds. */
const atOnce = 8;
/** A provider that somebody makes us doubt is asked no more often than this. */
const doubtMs = 5 * minute;

/** Fetches the metadata that is a day old. What does not come, or is none, leaves the last good one where it is. */
export async function refreshDueMetadata(
  deps: Needed,
  { scope, stopping }: { readonly scope: Scope; readonly stopping: AbortSignal },
): Promise<void> {
  const { clock, store } = deps;
  for (;;) {
    if (stopping.aborted) return;
    const now = clock.now();
    const claimed = await store.write(scope, async ({ db }) =>
      claimDue(db, { now, again: new Date(now.getTime() + retryMs), most: atOnce }),
    );
    if (claimed.length === 0) return;
    await Promise.all(claimed.map(async (setting) => refresh(deps, setting)));
  }
}

/**
 * Fetches the metadata of a partner out of turn: a provider may have changed its key unannounced. Answers whether there is other
 * metadata now; not asked for too often, and not where the metadata was given.
 */
export async function refreshDoubtedMetadata(deps: Needed, partnerId: number): Promise<boolean> {
  const now = deps.clock.now();
  const claimed = await deps.store.write(ofPartner(partnerId), async ({ db }) =>
    claimDoubt(db, { partnerId, now, last: new Date(now.getTime() - doubtMs) }),
  );
  return claimed !== undefined && refresh(deps, claimed);
}

async function refresh(deps: Needed, { metadata, metadataUrl, partnerId }: ClaimedSetting): Promise<boolean> {
  const { clock, fetchMetadata, logger, store } = deps;
  let read: ReturnType<typeof readProvider>;
  try {
    read = readProvider(deps, await fetchMetadata(metadataUrl));
  } catch (error) {
    if (!(error instanceof MetadataNotFetched)) throw error;
    logger.warn({ partnerId, fault: error.fault }, 'The metadata of an identity provider did not come');
  }
  const now = clock.now();
  return store.write(ofPartner(partnerId), async ({ db }) => {
    if (!read) {
      await saveFailure(db, { partnerId, metadataUrl, now });
      return false;
    }
    await saveMetadata(db, { partnerId, metadataUrl }, storedMetadata({ ...read, isFetched: true }, now));
    return read.metadata !== metadata;
  });
}
