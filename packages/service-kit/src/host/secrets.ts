import { createPrivateKey, createPublicKey, hkdfSync, randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { InternalKeys } from '../auth/internal-tokens.ts';

const stored = z.object({
  databasePassword: z.string(),
  storageSecret: z.string(),
  keyEncryptionKey: z.string(),
  internalKey: z.string(),
});

/** The secrets of one installation; the keys are 32 bytes in base64. */
export interface Secrets {
  /** Password of the services' database roles. */
  readonly databasePassword: string;
  /** Signs the addresses of stored objects. */
  readonly storageSecret: string;
  /** The identity service encrypts its signing keys with it. */
  readonly keyEncryptionKey: string;
  /** Signs the tokens with which the services vouch for each other. */
  readonly internalKey: string;
}

/**
 * The secrets of this installation, made at the first start and kept in the data folder for its owner alone. Several
 * processes may start at once: all get those of the first.
 */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json');
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return stored.parse(JSON.parse(text ?? (await makeSecrets(path))));
}

async function makeSecrets(path: string): Promise<string> {
  const key = () => randomBytes(32).toString('base64');
  const secrets = {
    databasePassword: randomBytes(24).toString('base64url'),
    storageSecret: key(),
    keyEncryptionKey: key(),
    internalKey: key(),
  };
  const own = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(own, JSON.stringify(secrets), { mode: 0o600 });
  // Whole or not at all, so that a kill in between leaves no half a file; and only one of several can.
  await link(own, path).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
  await rm(own);
  return readFile(path, 'utf8');
}

/** What stands before the seed of an Ed25519 private key in PKCS #8 (RFC 8410, section 7). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * @param seeds 32 bytes each: the first one signs and seals, all of them verify and open, so that a key can be exchanged
 *   without a pause
 */
export function internalKeysOf(seeds: readonly Uint8Array[]): InternalKeys {
  const privateKeys = seeds.map((seed) =>
    createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' }),
  );
  const [privateKey] = privateKeys;
  if (!privateKey) throw new Error('No internal key');
  return {
    privateKey,
    publicKeys: privateKeys.map((key) => createPublicKey(key)),
    sealingKeys: seeds.map((seed) => Buffer.from(hkdfSync('sha256', seed, '', 'portal seals', 32))),
  };
}
