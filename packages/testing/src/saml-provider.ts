import 'reflect-metadata';
import {
  constants,
  createCipheriv,
  generateKeyPairSync,
  type KeyObject,
  publicEncrypt,
  randomBytes,
  sign,
} from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import * as x509 from '@peculiar/x509';
import { SignedXml } from 'xml-crypto';

/** An identity provider for tests, which says whatever a test wants it to, with keys of its own. */

const more = 'http://www.w3.org/2001/04/xmldsig-more#';
export const algorithms = {
  rsaSha1: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
  rsaSha256: `${more}rsa-sha256`,
  rsaSha384: `${more}rsa-sha384`,
  rsaSha512: `${more}rsa-sha512`,
  rsaPss: 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  ecdsaSha256: `${more}ecdsa-sha256`,
  hmacSha256: `${more}hmac-sha256`,
  sha1: 'http://www.w3.org/2000/09/xmldsig#sha1',
  sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
} as const;

export interface Keys {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** In base64, as in metadata. */
  readonly certificate: string;
}

export async function newKeys(kind: 'rsa' | 'ec' = 'rsa', name = 'provider'): Promise<Keys> {
  const algorithm =
    kind === 'rsa'
      ? {
          name: 'RSASSA-PKCS1-v1_5',
          hash: 'SHA-256',
          modulusLength: 2048,
          publicExponent: new Uint8Array([1, 0, 1]),
        }
      : { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const pair =
    kind === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const der = (key: KeyObject, type: 'pkcs8' | 'spki') => key.export({ type, format: 'der' });
  const keys = {
    privateKey: await crypto.subtle.importKey('pkcs8', der(pair.privateKey, 'pkcs8'), algorithm, true, [
      'sign',
    ]),
    publicKey: await crypto.subtle.importKey('spki', der(pair.publicKey, 'spki'), algorithm, true, [
      'verify',
    ]),
  };
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: randomBytes(8).toString('hex'),
    name: `CN=${name}`,
    notBefore: new Date('2020-01-01'),
    notAfter: new Date('2040-01-01'),
    signingAlgorithm: algorithm,
    keys,
  });
  return { ...pair, certificate: Buffer.from(certificate.rawData).toString('base64') };
}

/** What a response says; a test changes what it is about. */
export interface Said {
  readonly issuer: string;
  readonly audience: string;
  readonly acsUrl: string;
  readonly requestId: string;
  readonly now: number;
  readonly nameId: string;
  readonly destination?: string | null;
  readonly recipient?: string;
  readonly responseRequestId?: string | null;
  readonly notBefore?: string;
  readonly notOnOrAfter?: string;
  readonly confirmationEnd?: string;
  readonly sessionIndex?: string;
  readonly sessionEnd?: string;
  readonly status?: string;
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
  readonly assertionId?: string;
  readonly responseId?: string;
  /** In the place of what is between the tags of the NameID. */
  readonly nameIdMarkup?: string;
}

export const newId = () => `_${randomBytes(16).toString('hex')}`;
const at = (moment: number) => new Date(moment).toISOString();

export function assertionOf(said: Said): string {
  const { acsUrl, audience, now, requestId } = said;
  const attributes = Object.entries(said.attributes ?? {}).map(
    ([name, values]) =>
      `<saml:Attribute Name="${name}" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:basic">${values
        .map(
          (value) =>
            `<saml:AttributeValue xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">${escapeXml(value)}</saml:AttributeValue>`,
        )
        .join('')}</saml:Attribute>`,
  );
  return (
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${said.assertionId ?? newId()}" Version="2.0" IssueInstant="${at(now)}">` +
    `<saml:Issuer>${said.issuer}</saml:Issuer><saml:Subject>` +
    `<saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified">${said.nameIdMarkup ?? escapeXml(said.nameId)}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData InResponseTo="${requestId}" NotOnOrAfter="${said.confirmationEnd ?? at(now + 300_000)}" Recipient="${said.recipient ?? acsUrl}"/></saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${said.notBefore ?? at(now - 5_000)}" NotOnOrAfter="${said.notOnOrAfter ?? at(now + 300_000)}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${at(now)}" SessionIndex="${said.sessionIndex ?? 'session-1'}"${said.sessionEnd ? ` SessionNotOnOrAfter="${said.sessionEnd}"` : ''}><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
    (attributes.length > 0
      ? `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>`
      : '') +
    '</saml:Assertion>'
  );
}

export function responseOf(said: Said, ...assertions: readonly string[]): string {
  const attribute = (name: string, value: string | null) => (value === null ? '' : ` ${name}="${value}"`);
  const status = said.status ?? 'urn:oasis:names:tc:SAML:2.0:status:Success';
  return (
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${said.responseId ?? newId()}" Version="2.0" IssueInstant="${at(said.now)}"` +
    attribute('Destination', said.destination === undefined ? said.acsUrl : said.destination) +
    attribute(
      'InResponseTo',
      said.responseRequestId === undefined ? said.requestId : said.responseRequestId,
    ) +
    `><saml:Issuer>${said.issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="${status}"/></samlp:Status>${assertions.join('')}</samlp:Response>`
  );
}

export interface Signing {
  readonly keys: Keys;
  readonly algorithm?: string;
  readonly digest?: string;
  /** Whether the certificate stands in the signature. */
  readonly showsCertificate?: boolean;
}

const signers: Readonly<Record<string, (text: string, keys: Keys) => Buffer>> = {
  [algorithms.rsaSha1]: (text, { privateKey }) => sign('sha1', Buffer.from(text), privateKey),
  [algorithms.rsaSha256]: (text, { privateKey }) => sign('sha256', Buffer.from(text), privateKey),
  [algorithms.rsaSha384]: (text, { privateKey }) => sign('sha384', Buffer.from(text), privateKey),
  [algorithms.rsaSha512]: (text, { privateKey }) => sign('sha512', Buffer.from(text), privateKey),
  [algorithms.rsaPss]: (text, { privateKey: key }) =>
    sign('sha256', Buffer.from(text), {
      key,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    }),
  [algorithms.ecdsaSha256]: (text, { privateKey: key }) =>
    sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }),
};

/** Signs what is at `xpath`, behind its issuer. */
export function signedXml(
  text: string,
  xpath: string,
  { algorithm = algorithms.rsaSha256, digest = algorithms.sha256, keys, showsCertificate = true }: Signing,
): string {
  const signer = new SignedXml({
    privateKey: 'of the provider',
    signatureAlgorithm: algorithm,
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  });
  signer.SignatureAlgorithms = {
    [algorithm]: class {
      getAlgorithmName = () => algorithm;
      getSignature = (signed: unknown) =>
        (signers[algorithm]?.(String(signed), keys) ?? Buffer.alloc(0)).toString('base64');
      verifySignature = () => false;
    },
  };
  signer.getKeyInfoContent = () =>
    showsCertificate ? `<X509Data><X509Certificate>${keys.certificate}</X509Certificate></X509Data>` : null;
  signer.addReference({
    xpath,
    digestAlgorithm: digest,
    transforms: [
      'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
      'http://www.w3.org/2001/10/xml-exc-c14n#',
    ],
  });
  signer.computeSignature(text, {
    location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' },
  });
  return signer.getSignedXml();
}

export const ofResponse = "/*[local-name(.)='Response']";
export const ofAssertion = `${ofResponse}/*[local-name(.)='Assertion']`;

/** An honest response, with its assertion signed. */
export const honest = (said: Said, signing: Signing): string =>
  signedXml(responseOf(said, assertionOf(said)), ofAssertion, signing);

/** Encrypts an assertion for a certificate in PEM. */
export function encrypted(
  assertion: string,
  publicKey: string,
  {
    cipher = 'aes256-gcm',
    key = 'oaep-mgf1p',
  }: { readonly cipher?: string; readonly key?: 'oaep-mgf1p' | 'oaep11-sha256' | 'rsa15' } = {},
): string {
  const bits = Number(/\d+/.exec(cipher)?.[0]);
  const secret = randomBytes(bits / 8);
  const isGcm = cipher.endsWith('gcm');
  const iv = randomBytes(isGcm ? 12 : 16);
  let bytes: Buffer;
  if (isGcm) {
    const gcm = createCipheriv(`aes-${bits}-gcm` as 'aes-256-gcm', secret, iv);
    bytes = Buffer.concat([iv, gcm.update(assertion, 'utf8'), gcm.final(), gcm.getAuthTag()]);
  } else {
    const cbc = createCipheriv(`aes-${bits}-cbc`, secret, iv);
    bytes = Buffer.concat([iv, cbc.update(assertion, 'utf8'), cbc.final()]);
  }
  const padding = key === 'rsa15' ? constants.RSA_PKCS1_PADDING : constants.RSA_PKCS1_OAEP_PADDING;
  const wrapped = publicEncrypt(
    { key: publicKey, padding, ...(key === 'oaep11-sha256' ? { oaepHash: 'sha256' } : {}) },
    secret,
  );
  const method = {
    'oaep-mgf1p': '<xenc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p"/>',
    'oaep11-sha256':
      '<xenc:EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#rsa-oaep"><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><xenc11:MGF xmlns:xenc11="http://www.w3.org/2009/xmlenc11#" Algorithm="http://www.w3.org/2009/xmlenc11#mgf1sha256"/></xenc:EncryptionMethod>',
    rsa15: '<xenc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#rsa-1_5"/>',
  }[key];
  const place = isGcm ? 'http://www.w3.org/2009/xmlenc11#' : 'http://www.w3.org/2001/04/xmlenc#';
  return (
    '<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"><xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#" Type="http://www.w3.org/2001/04/xmlenc#Element">' +
    `<xenc:EncryptionMethod Algorithm="${place}${cipher}"/><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><xenc:EncryptedKey>${method}<xenc:CipherData><xenc:CipherValue>${wrapped.toString('base64')}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedKey></ds:KeyInfo>` +
    `<xenc:CipherData><xenc:CipherValue>${bytes.toString('base64')}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData></saml:EncryptedAssertion>`
  );
}

export const posted = (text: string): string => Buffer.from(text).toString('base64');

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (one) => entities[one] ?? one);

/** The query of a message by redirect, signed. */
export function redirected(
  field: 'SAMLRequest' | 'SAMLResponse',
  text: string,
  { algorithm = algorithms.rsaSha256, keys }: Signing,
  relayState?: string,
): string {
  const query = Object.entries({
    [field]: deflateRawSync(text).toString('base64'),
    ...(relayState === undefined ? {} : { RelayState: relayState }),
    SigAlg: algorithm,
  })
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  const signature = (signers[algorithm]?.(query, keys) ?? Buffer.alloc(0)).toString('base64');
  return `${query}&Signature=${encodeURIComponent(signature)}`;
}
