import type { KeyCipher, SealedColumn } from '@portal/service-kit';
import type { SsoDb } from '../../data/db.ts';
import type { ServiceProviderPair } from '../use-cases/make-key.ts';

/** The certificate of a partner alone, in PEM; null before there is one. */
export async function findCertificate(db: SsoDb, partnerId: number): Promise<string | null> {
  const found = await db.serviceProviderKey.findUnique({
    where: { partnerId },
    select: { certificate: true },
  });
  return found?.certificate ?? null;
}

/** The key of a partner and its certificate; null before there is one. */
export async function openServiceProviderPair(
  db: SsoDb,
  cipher: KeyCipher,
  partnerId: number,
): Promise<ServiceProviderPair | null> {
  const found = await db.serviceProviderKey.findUnique({ where: { partnerId } });
  return (
    found && { certificate: found.certificate, privateKey: cipher.open(found.privateKey, of(partnerId)) }
  );
}

/** The first that is stored stays: somebody may have given its certificate to a provider already. */
export async function keepServiceProviderPair(
  db: SsoDb,
  cipher: KeyCipher,
  partnerId: number,
  { certificate, privateKey }: ServiceProviderPair,
  now: Date,
): Promise<void> {
  await db.serviceProviderKey.createMany({
    data: { partnerId, certificate, privateKey: cipher.seal(privateKey, of(partnerId)), createdAt: now },
    skipDuplicates: true,
  });
}

const of = (partnerId: number) => `key of service provider ${partnerId}`;

export const sealedKeys: SealedColumn = {
  table: 'service_provider_keys',
  column: 'private_key',
  key: { partner_id: 'integer' },
  of: (partnerId) => of(Number(partnerId)),
};
