import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InternalKeys } from '@portal/service-kit';
import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { z } from 'zod';

const stored = z.object({
  databasePassword: z.string(),
  storageSecret: z.string(),
  keyEncryptionKey: z.string(),
  internalKey: z.record(z.string(), z.unknown()),
});

export interface Secrets {
  /** Password of the services' database roles. */
  readonly databasePassword: string;
  /** Signs the addresses of stored objects. */
  readonly storageSecret: Uint8Array;
  /** 32 bytes in base64; the identity service encrypts its signing keys with it. */
  readonly keyEncryptionKey: string;
  readonly internalKeys: InternalKeys;
}

/** The secrets of this installation, made at the first start and kept in the data folder for its owner alone. */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json');
  const text = await readFile(path, 'utf8').catch(() => undefined);
  const secrets = text === undefined ? await makeSecrets(path) : stored.parse(JSON.parse(text));
  return {
    databasePassword: secrets.databasePassword,
    storageSecret: Buffer.from(secrets.storageSecret, 'base64'),
    keyEncryptionKey: secrets.keyEncryptionKey,
    internalKeys: await keyPair(secrets.internalKey),
  };
}

async function makeSecrets(path: string): Promise<z.output<typeof stored>> {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const secrets = {
    databasePassword: randomBytes(24).toString('base64url'),
    storageSecret: randomBytes(32).toString('base64'),
    keyEncryptionKey: randomBytes(32).toString('base64'),
    internalKey: { ...(await exportJWK(privateKey)) },
  };
  // Whole or not at all, so that a kill in between leaves no half a file.
  await writeFile(`${path}.new`, JSON.stringify(secrets), { mode: 0o600 });
  await rename(`${path}.new`, path);
  return secrets;
}

async function keyPair(jwk: JWK): Promise<InternalKeys> {
  const { d: _, ...publicJwk } = jwk;
  const [privateKey, publicKey] = await Promise.all([importJWK(jwk, 'EdDSA'), importJWK(publicJwk, 'EdDSA')]);
  if (privateKey instanceof Uint8Array || publicKey instanceof Uint8Array) {
    throw new Error('The internal key is not a key pair');
  }
  return { privateKey, publicKey };
}
