import { pbkdf2Sync } from 'node:crypto';
import forge from 'node-forge';

/** What is in a PKCS#12 file, in PEM, or what is wrong: the password, or the file. */
export type OpenedP12 =
  | { readonly certificate: string; readonly privateKey: string }
  | { readonly wrong: 'p12' | 'password' };

/** Rounds of PBKDF2 that one file may cost: Node does them in one go, which nothing can break off. */
const mostRounds = 2_000_000;
let rounds = 0;

class TooCostly extends Error {}

/*
 * The library takes passwords for bytes here, though files have them in UTF-8, and counts by itself, a hundred times slower than
 * Node does. This runs in a thread of its own, whose module it is.
 */
forge.pkcs5.pbkdf2 = (
  password: string | undefined,
  salt: string,
  count: number,
  length: number,
  digest?: unknown,
) => {
  rounds += count;
  if (!(count >= 1 && rounds <= mostRounds)) throw new TooCostly();
  const name = digestName(digest);
  return pbkdf2Sync(password ?? '', Buffer.from(salt, 'binary'), count, length, name).toString('binary');
};

function digestName(digest: unknown): string {
  if (typeof digest === 'object' && digest !== null && 'algorithm' in digest) return String(digest.algorithm);
  return typeof digest === 'string' ? digest : 'sha1';
}

/** Reads a PKCS#12 file. It takes as long as its writer wants, so it runs where it can be ended. */
export function openP12(bytes: Uint8Array, password: string): OpenedP12 {
  let file: forge.asn1.Asn1;
  try {
    file = forge.asn1.fromDer(forge.util.createBuffer(Buffer.from(bytes).toString('binary')));
  } catch {
    return { wrong: 'p12' };
  }
  const opened = decrypted(file, password);
  return 'wrong' in opened ? opened : contentOf(opened);
}

/** An empty password is written in two ways: as an empty text, and as none at all. */
function decrypted(
  file: forge.asn1.Asn1,
  password: string,
): forge.pkcs12.Pkcs12Pfx | { readonly wrong: 'p12' | 'password' } {
  const tries = password === '' ? ['', undefined] : [password];
  let wrong: 'p12' | 'password' = 'p12';
  for (const one of tries) {
    try {
      return forge.pkcs12.pkcs12FromAsn1(file, false, one);
    } catch (error) {
      wrong = isOfPassword(error) ? 'password' : 'p12';
      if (wrong === 'p12') break;
    }
  }
  return { wrong };
}

/** The library tells these two by their texts alone. */
const isOfPassword = (error: unknown) =>
  error instanceof Error && /password\?$|^Failed to decrypt/.test(error.message);

function contentOf(pfx: forge.pkcs12.Pkcs12Pfx): OpenedP12 {
  const bags = pfx.safeContents.flatMap(({ safeBags }) => safeBags);
  const { certBag, keyBag, pkcs8ShroudedKeyBag } = forge.pki.oids;
  const keys = bags.filter(({ type }) => type === keyBag || type === pkcs8ShroudedKeyBag);
  const [only] = keys;
  // An elliptic key is one that the library cannot read.
  if (keys.length !== 1 || !only?.key) return { wrong: 'p12' };
  const key = only.key;
  if (!isRsa(key)) return { wrong: 'p12' };
  const certificate = bags
    .flatMap(({ cert, type }) => (type === certBag && cert ? [cert] : []))
    .find(belongsTo(key));
  if (!certificate) return { wrong: 'p12' };
  return {
    certificate: forge.pki.certificateToPem(certificate),
    privateKey: forge.pki.privateKeyInfoToPem(forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(key))),
  };
}

const isRsa = (key: forge.pki.PrivateKey): key is forge.pki.rsa.PrivateKey => 'n' in key && 'e' in key;

const belongsTo =
  (key: forge.pki.rsa.PrivateKey) =>
  ({ publicKey }: forge.pki.Certificate): boolean =>
    'n' in publicKey && publicKey.n.equals(key.n) && publicKey.e.equals(key.e);
