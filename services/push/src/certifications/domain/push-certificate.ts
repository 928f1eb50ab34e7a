import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

/** What marks a certificate as one for push notifications: development and production. */
const appleExtensions: ReadonlySet<string> = new Set([
  '1.2.840.113635.100.6.3.1',
  '1.2.840.113635.100.6.3.2',
]);
const userId = '0.9.2342.19200300.100.1.1';

export interface PushCertificate {
  readonly certificate: string;
  readonly privateKey: string;
  /** The app that it is for. */
  readonly topic: string;
  readonly expiresAt: Date;
}

/** A certificate for push notifications and its key, both in PEM; undefined where they are none, or do not belong together. */
export async function readPushCertificate(
  certificate: string,
  privateKey: string,
): Promise<PushCertificate | undefined> {
  const read = await readCertificate(certificate);
  const key = readKey(privateKey);
  if (!read || !key || !read.isForPushes || read.topic === null || !read.x509.checkPrivateKey(key))
    return undefined;
  return {
    certificate: read.x509.toString(),
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    topic: read.topic,
    expiresAt: read.expiresAt,
  };
}

interface CertificateInfo {
  readonly x509: X509Certificate;
  readonly isForPushes: boolean;
  readonly topic: string | null;
  readonly subject: string;
  readonly expiresAt: Date;
}

/** What the first certificate of a text in PEM says. */
export async function readCertificate(pem: string): Promise<CertificateInfo | undefined> {
  // The next module needs it to be there first. Both are large, and most processes never read a certificate.
  await import('reflect-metadata');
  const { X509Certificate: ReadableCertificate } = await import('@peculiar/x509');
  try {
    const x509 = new X509Certificate(pem);
    const { extensions, notAfter, subjectName } = new ReadableCertificate(x509.raw);
    const [topic = ''] = subjectName.getField(userId);
    return {
      x509,
      isForPushes: extensions.some(({ type }) => appleExtensions.has(type)),
      topic: /^[A-Za-z0-9.-]{1,255}$/.test(topic) ? topic : null,
      subject: subjectName.toString(),
      expiresAt: notAfter,
    };
  } catch {
    return undefined;
  }
}

function readKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
