import { constants, createHash, type KeyObject, verify, X509Certificate } from 'node:crypto';
import { SignedXml } from 'xml-crypto';
import { Refusal } from './domain/refusal.ts';
import { enveloped, exclusive, namespaces } from './names.ts';
import { attribute, childNamed, elementsIn } from './xml.ts';

/** How a signature is verified: the hash, and which kind of key may have made it. */
interface Algorithm {
  readonly hash: string;
  readonly key: 'rsa' | 'ec';
  readonly pss?: true;
}

const more = 'http://www.w3.org/2001/04/xmldsig-more#';

/** RSA-SHA256 or better, and ECDSA. What is not here is refused: SHA-1, and HMAC, whose key would be the public one. */
const algorithms: Readonly<Record<string, Algorithm>> = {
  [`${more}rsa-sha256`]: { hash: 'sha256', key: 'rsa' },
  [`${more}rsa-sha384`]: { hash: 'sha384', key: 'rsa' },
  [`${more}rsa-sha512`]: { hash: 'sha512', key: 'rsa' },
  [`${more}ecdsa-sha256`]: { hash: 'sha256', key: 'ec' },
  [`${more}ecdsa-sha384`]: { hash: 'sha384', key: 'ec' },
  [`${more}ecdsa-sha512`]: { hash: 'sha512', key: 'ec' },
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1': { hash: 'sha256', key: 'rsa', pss: true },
};

const digests: Readonly<Record<string, string>> = {
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  [`${more}sha384`]: 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
};

const keys = new Map<string, KeyObject>();
const mostKeys = 1000;

/** The public key of a certificate in base64; they are few, and take a while to read. */
function keyOf(certificate: string): KeyObject {
  const known = keys.get(certificate);
  if (known) return known;
  const key = new X509Certificate(Buffer.from(certificate, 'base64')).publicKey;
  if (keys.size >= mostKeys) keys.clear();
  keys.set(certificate, key);
  return key;
}

/**
 * Whether one of the certificates made this signature. Throws `Refusal` for an algorithm that is not on the list.
 *
 * @param certificates in base64, as metadata has them
 */
export function isSignedBy(
  certificates: readonly string[],
  { algorithm, signature, signed }: { algorithm: string; signed: string; signature: Buffer },
): boolean {
  const { hash, key: kind, pss } = algorithmOf(algorithm);
  return certificates.map(keyOf).some((key) => {
    if (key.asymmetricKeyType !== kind) return false;
    const how = pss
      ? { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
      : { key, dsaEncoding: 'ieee-p1363' as const };
    return verify(hash, Buffer.from(signed), how, signature);
  });
}

function algorithmOf(name: string | undefined): Algorithm {
  const algorithm = name === undefined ? undefined : algorithms[name];
  if (!algorithm) throw new Refusal('weakSignature', name);
  return algorithm;
}

/**
 * Holds a signature to the one form that providers use: it signs the element that it lies in, whole, and hides nothing that a
 * verifier could take for what it is to verify. Throws `Refusal` otherwise.
 */
function requireForm(signature: Element): { readonly algorithm: string } {
  const parent = signature.parentNode as Element;
  const all = [...elementsIn(signature)].filter(({ namespaceURI }) => namespaceURI === namespaces.signature);
  const only = (name: string): Element => {
    const [one, ...others] = all.filter(({ localName }) => localName === name);
    if (!one || others.length > 0) throw new Refusal('structure', `${name} of a signature`);
    return one;
  };
  if (all.some(({ localName }) => localName === 'Object')) throw new Refusal('structure', 'an object');
  const info = only('SignedInfo');
  if (childNamed(signature, namespaces.signature, 'SignedInfo') !== info) {
    throw new Refusal('structure', 'SignedInfo of a signature');
  }
  const reference = only('Reference');
  const method = only('SignatureMethod');
  const canonicalization = only('CanonicalizationMethod');
  if ([reference, method, canonicalization].some(({ parentNode }) => parentNode !== info)) {
    throw new Refusal('structure', 'parts of a signature');
  }
  if (only('SignatureValue').parentNode !== signature) throw new Refusal('structure', 'SignatureValue');
  const id = attribute(parent, 'ID');
  if (!id || attribute(reference, 'URI') !== `#${id}`) throw new Refusal('structure', 'signs something else');
  if (attribute(canonicalization, 'Algorithm') !== exclusive)
    throw new Refusal('weakSignature', 'canonicalization');
  const transforms = all.filter(({ localName }) => localName === 'Transform');
  if (
    transforms.length > 2 ||
    transforms.some((one) => ![enveloped, exclusive].includes(attribute(one, 'Algorithm') ?? ''))
  ) {
    throw new Refusal('weakSignature', 'transform');
  }
  const digest = attribute(only('DigestMethod'), 'Algorithm') ?? '';
  if (!digests[digest]) throw new Refusal('weakSignature', digest);
  const algorithm = attribute(method, 'Algorithm') ?? '';
  algorithmOf(algorithm);
  return { algorithm };
}

const hashAlgorithms = Object.fromEntries(
  Object.entries(digests).map(([name, hash]) => [
    name,
    class {
      getAlgorithmName = () => name;
      getHash = (text: string) => createHash(hash).update(text).digest('base64');
    },
  ]),
);

/**
 * Verifies a signature by the certificates of a provider, whichever the message itself names.
 *
 * @param text the document in which `signature` lies
 * @returns the canonical text of the very element that is signed, the only thing to read from; it has lost the signature
 */
export function verifySignature(text: string, signature: Element, certificates: readonly string[]): string {
  const { algorithm } = requireForm(signature);
  class Verifier {
    getAlgorithmName = () => algorithm;
    getSignature = (): never => {
      throw new Error('It signs nothing');
    };
    verifySignature = (signed: string, _key: unknown, value: string) =>
      isSignedBy(certificates, { algorithm, signed, signature: Buffer.from(value, 'base64') });
  }
  // A key is asked for, though the certificates say which: the one of the message is never looked at.
  const signed = new SignedXml({ publicCert: 'of the provider' });
  signed.getCertFromKeyInfo = () => null;
  signed.SignatureAlgorithms = { [algorithm]: Verifier };
  const { [exclusive]: canonicalization, [enveloped]: transform } = signed.CanonicalizationAlgorithms;
  if (!canonicalization || !transform) throw new Error('xml-crypto has lost algorithms');
  signed.CanonicalizationAlgorithms = { [exclusive]: canonicalization, [enveloped]: transform };
  signed.HashAlgorithms = hashAlgorithms;
  let right = false;
  try {
    signed.loadSignature(signature);
    right = signed.checkSignature(text);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('wrongSignature', '', { cause: error });
  }
  const [reference, ...others] = signed.getSignedReferences();
  if (!right || reference === undefined || others.length > 0) throw new Refusal('wrongSignature');
  return reference;
}
