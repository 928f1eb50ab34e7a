import { KeyObject } from 'node:crypto';

export interface ServiceProviderPair {
  /** In PEM. */
  readonly certificate: string;
  /** In PEM. */
  readonly privateKey: string;
}

const algorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};
/** Providers look at the key of a certificate, some of them at its end as well. */
const years = 20;

/** A key and a certificate that carries it to identity providers; nobody vouches for it but the metadata. */
export async function makeServiceProviderPair(name: string, now: Date): Promise<ServiceProviderPair> {
  // The next module needs it to be there first. Both are large, and a company needs them once.
  await import('reflect-metadata');
  const { X509CertificateGenerator } = await import('@peculiar/x509');
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const notAfter = new Date(now);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + years);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [name] }],
    // Clocks differ.
    notBefore: new Date(now.getTime() - 24 * 3_600_000),
    notAfter,
    keys,
    signingAlgorithm: algorithm,
  });
  return {
    certificate: certificate.toString('pem'),
    privateKey: KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
