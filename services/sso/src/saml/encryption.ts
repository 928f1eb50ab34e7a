import { constants, createDecipheriv, privateDecrypt } from 'node:crypto';
import { Refusal } from './domain/refusal.ts';
import { readText } from './markup.ts';
import { namespaces } from './names.ts';
import { attribute, childNamed, elementsIn, isNamed, textOf } from './xml.ts';

const { encryption, encryption11, signature } = namespaces;

/** AES in the modes CBC and GCM, by the names that XML Encryption has for them. */
const ciphers: Readonly<
  Record<string, { readonly name: string; readonly keyBytes: number; readonly gcm: boolean }>
> = Object.fromEntries(
  [128, 192, 256].flatMap((bits) => [
    [`${encryption}aes${bits}-cbc`, { name: `aes-${bits}-cbc`, keyBytes: bits / 8, gcm: false }],
    [`${encryption11}aes${bits}-gcm`, { name: `aes-${bits}-gcm`, keyBytes: bits / 8, gcm: true }],
  ]),
);

const oaepHashes: Readonly<Record<string, string>> = {
  'http://www.w3.org/2000/09/xmldsig#sha1': 'sha1',
  [`${encryption}sha256`]: 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384': 'sha384',
  [`${encryption}sha512`]: 'sha512',
};

/**
 * What an EncryptedAssertion holds: AES in CBC or GCM, its key by RSA-OAEP, in XML Encryption 1.0 or 1.1. RSA with the padding of
 * PKCS#1 1.5 is refused, since whoever may ask often can decrypt by it.
 *
 * @param keys private keys in PEM, of which the first that fits is taken
 */
export function decryptAssertion(encrypted: Element, keys: readonly string[]): string {
  const data =
    childNamed(encrypted, namespaces.assertion, 'EncryptedData') ??
    childNamed(encrypted, encryption, 'EncryptedData');
  const cipher = ciphers[methodOf(data) ?? ''];
  // In its KeyInfo, or beside it.
  const [wrapped, ...others] = [...elementsIn(encrypted)].filter((one) =>
    isNamed(one, encryption, 'EncryptedKey'),
  );
  if (!data || !cipher || !wrapped || others.length > 0) throw new Refusal('encryption', methodOf(data));
  const key = unwrap(wrapped, keys);
  if (key?.length !== cipher.keyBytes) throw new Refusal('encryption', 'not for our certificate');
  const bytes = valueOf(data);
  let plain: Buffer;
  try {
    plain = cipher.gcm ? openGcm(cipher.name, key, bytes) : openCbc(cipher.name, key, bytes);
  } catch (error) {
    throw new Refusal('encryption', '', { cause: error });
  }
  return readText(plain);
}

const methodOf = (element: Element | undefined): string | undefined => {
  const method = element && childNamed(element, encryption, 'EncryptionMethod');
  return method && attribute(method, 'Algorithm');
};

function valueOf(element: Element): Buffer {
  const data = childNamed(element, encryption, 'CipherData');
  const value = data && childNamed(data, encryption, 'CipherValue');
  if (!value) throw new Refusal('encryption', 'no CipherValue');
  return Buffer.from(textOf(value), 'base64');
}

function unwrap(wrapped: Element, keys: readonly string[]): Buffer | undefined {
  const oaepHash = oaepHashOf(wrapped);
  const bytes = valueOf(wrapped);
  for (const key of keys) {
    try {
      return privateDecrypt({ key, oaepHash, padding: constants.RSA_PKCS1_OAEP_PADDING }, bytes);
    } catch {
      // Encrypted for another key.
    }
  }
  return undefined;
}

/** OpenSSL takes one hash for the label and the mask. */
function oaepHashOf(wrapped: Element): string {
  const name = methodOf(wrapped) ?? '';
  const method = childNamed(wrapped, encryption, 'EncryptionMethod');
  const digestName = method && childNamed(method, signature, 'DigestMethod');
  const mask = method && childNamed(method, encryption11, 'MGF');
  const digest = digestName ? oaepHashes[attribute(digestName, 'Algorithm') ?? ''] : 'sha1';
  const maskHash = mask ? /#mgf1(sha\d+)$/.exec(attribute(mask, 'Algorithm') ?? '')?.[1] : 'sha1';
  const isOaep = [`${encryption}rsa-oaep-mgf1p`, `${encryption11}rsa-oaep`].includes(name);
  if (!isOaep || digest === undefined || digest !== maskHash) throw new Refusal('encryption', name);
  return digest;
}

function openGcm(name: string, key: Buffer, bytes: Buffer): Buffer {
  const decipher = createDecipheriv(name as 'aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
}

/** The last byte says how many fill the last block, whatever they are. */
function openCbc(name: string, key: Buffer, bytes: Buffer): Buffer {
  const decipher = createDecipheriv(name, key, bytes.subarray(0, 16)).setAutoPadding(false);
  const padded = Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]);
  const filled = padded.at(-1) ?? 0;
  if (filled < 1 || filled > 16 || filled > padded.length)
    throw new Error('Not the padding of XML Encryption');
  return padded.subarray(0, -filled);
}
