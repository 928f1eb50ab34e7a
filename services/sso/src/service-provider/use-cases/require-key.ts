import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { findCertificate, keepServiceProviderPair } from '../data/key-repository.ts';
import { makeServiceProviderPair } from './make-key.ts';

/** The certificate of a partner, in PEM; it is made with its key where there is none yet. */
export async function requireCertificate(
  { cipher, clock, publicUrl, store }: Pick<Dependencies, 'cipher' | 'clock' | 'publicUrl' | 'store'>,
  partnerId: number,
): Promise<string> {
  const read = async () => store.read(ofPartner(partnerId), async (db) => findCertificate(db, partnerId));
  const known = await read();
  if (known !== null) return known;
  const now = clock.now();
  const made = await makeServiceProviderPair(new URL(publicUrl).hostname, now);
  await store.write(ofPartner(partnerId), async ({ db }) =>
    keepServiceProviderPair(db, cipher, partnerId, made, now),
  );
  // Another instance may have been first.
  return (await read()) ?? made.certificate;
}
