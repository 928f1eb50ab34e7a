// The next module needs it to be there first.
import 'reflect-metadata';
import { KeyObject } from 'node:crypto';
import {
  BasicConstraintsExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** A certificate and its key, in PEM. */
export interface Identity {
  readonly certificate: string;
  readonly privateKey: string;
}

/** A certificate authority that exists only as long as the process. */
export interface Authority {
  /** What trusts it, in PEM. */
  readonly certificate: string;
  /** For a server on this machine. */
  forServer(): Promise<Identity>;
  /** What Apple issues to who sends to an app. @param topic the app's bundle id */
  forApp(topic: string, options?: AppOptions): Promise<Identity>;
}

interface AppOptions {
  readonly environment?: 'development' | 'production';
  readonly validFrom?: Date;
  readonly validTo?: Date;
}

/** Marks a certificate as one for notifications; its value is NULL. */
const appleExtensions = {
  development: '1.2.840.113635.100.6.3.1',
  production: '1.2.840.113635.100.6.3.2',
};
const derNull = new Uint8Array([5, 0]);
const userId = '0.9.2342.19200300.100.1.1';

const elliptic = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const rsa = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};
const day = 86_400_000;

export async function createAuthority(): Promise<Authority> {
  const keys = await crypto.subtle.generateKey(elliptic, true, ['sign', 'verify']);
  const validity = () => ({
    notBefore: new Date(Date.now() - day),
    notAfter: new Date(Date.now() + 365 * day),
  });
  const name = 'CN=Stand-in for providers of notifications';
  const own = await X509CertificateGenerator.createSelfSigned({
    name,
    ...validity(),
    keys,
    signingAlgorithm: elliptic,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });

  async function issue(
    subject: string,
    algorithm: typeof elliptic | typeof rsa,
    extensions: Extension[],
    period = validity(),
  ): Promise<Identity> {
    const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const certificate = await X509CertificateGenerator.create({
      subject,
      issuer: name,
      ...period,
      publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: elliptic,
      extensions: [new BasicConstraintsExtension(false), ...extensions],
    });
    return {
      certificate: certificate.toString('pem'),
      privateKey: KeyObject.from(privateKey).export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
  }

  return {
    certificate: own.toString('pem'),
    forServer: async () =>
      issue('CN=localhost', elliptic, [
        new SubjectAlternativeNameExtension([
          { type: 'dns', value: 'localhost' },
          { type: 'ip', value: '127.0.0.1' },
        ]),
      ]),
    forApp: async (topic, { environment = 'production', validFrom, validTo } = {}) => {
      const { notAfter, notBefore } = validity();
      return issue(
        `${userId}=${topic}, CN=Apple Push Services: ${topic}`,
        rsa,
        [new Extension(appleExtensions[environment], false, derNull)],
        { notBefore: validFrom ?? notBefore, notAfter: validTo ?? notAfter },
      );
    },
  };
}
