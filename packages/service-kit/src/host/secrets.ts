import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServiceName, serviceNames, services } from '@portal/contracts';
import { z } from 'zod';
import type { InternalKeys } from '../auth/internal-tokens.ts';
import { internalKeysOf, publicKeyOf } from './internal-keys.ts';

/** Of the two roles of a service in PostgreSQL. */
export interface DatabasePasswords {
  /** Of the one that the service itself has. */
  readonly role: string;
  /** Of the one that owns the database, and is for migrations alone. */
  readonly owner: string;
}

const stored = z.object({
  storageSecret: z.string(),
  keyEncryptionKey: z.string(),
  /** One of all services, as it was before each had its own: what was sealed with it is still opened. */
  internalKey: z.string().optional(),
  internalKeys: z.partialRecord(z.enum(serviceNames), z.string()).default({}),
  databases: z
    .partialRecord(z.enum(serviceNames), z.object({ role: z.string(), owner: z.string() }))
    .default({}),
});
type Stored = z.output<typeof stored>;

/** The secrets of one installation; the keys are 32 bytes in base64. */
export interface Secrets {
  /** Signs the addresses of stored objects. */
  readonly storageSecret: string;
  /** What a service shares with others, or has of the installation, by the settings that hold it. */
  sharedWith(service: ServiceName): Readonly<Record<string, string>>;
  databaseOf(service: ServiceName): DatabasePasswords;
  /** Its own keys for the calls among the services, the newest first. */
  internalKeysOf(service: ServiceName): readonly string[];
}

/**
 * The secrets of this installation, made at the first start and kept in the data folder for its owner alone. What a
 * version before did not have is made as well. Several processes may start at once: all get those of the first.
 */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json');
  const text = (await readIfThere(path)) ?? (await makeSecrets(path));
  const { databases, internalKey, internalKeys, keyEncryptionKey, storageSecret } = isComplete(text)
    ? parse(text)
    : parse(await completeSecrets(path, text));
  const shared = { KEY_ENCRYPTION_KEY: keyEncryptionKey, STORAGE_SECRET: storageSecret };
  return {
    storageSecret,
    sharedWith: (service) =>
      Object.fromEntries(
        Object.entries(shared).filter(([name]) => services[service].secrets.some((one) => one === name)),
      ),
    databaseOf: (service) => present(databases[service], service),
    internalKeysOf: (service) => [
      present(internalKeys[service], service),
      ...(internalKey === undefined ? [] : [internalKey]),
    ],
  };
}

/** The keys of a service, where one process has them all. */
export function internalKeysIn(secrets: Secrets): (service: ServiceName) => InternalKeys {
  const known = new Map(
    serviceNames.map((name) => [
      name,
      secrets.internalKeysOf(name).slice(0, 1).map(decoded).map(publicKeyOf),
    ]),
  );
  return (service) => internalKeysOf(service, secrets.internalKeysOf(service).map(decoded), known);
}

/** Those that everybody knows of every service, as in the setting INTERNAL_PUBLIC_KEYS. */
export function publicKeysIn(secrets: Secrets): string {
  return serviceNames
    .flatMap((name) =>
      secrets
        .internalKeysOf(name)
        .slice(0, 1)
        .map((key) => `${name}:${publicKeyOf(decoded(key))}`),
    )
    .join(',');
}

const decoded = (key: string) => Buffer.from(key, 'base64');
const parse = (text: string): Stored => stored.parse(JSON.parse(text));
const newKey = () => randomBytes(32).toString('base64');
const newPassword = () => randomBytes(24).toString('base64url');

function isComplete(text: string): boolean {
  const { databases, internalKeys } = parse(text);
  return serviceNames.every((name) => internalKeys[name] !== undefined && databases[name] !== undefined);
}

async function makeSecrets(path: string): Promise<string> {
  const secrets = { storageSecret: newKey(), keyEncryptionKey: newKey(), internalKeys: {}, databases: {} };
  const own = await written(path, JSON.stringify(completed(secrets)));
  await linked(own, path);
  await rm(own);
  return readFile(path, 'utf8');
}

/**
 * In place of the secrets that lack some. Several may be about to do it, and each makes others: what the first one of them
 * has put beside the file is it for all, until the file is another. Whoever comes later finds that and takes the file.
 */
async function completeSecrets(path: string, text: string): Promise<string> {
  const next = `${path}.next`;
  const own = await written(path, JSON.stringify(completed(parse(text))));
  await linked(own, next);
  await rm(own);
  const agreed = await readIfThere(next);
  // Read in this order: nothing was in place yet when it was read, so that it is the first one's.
  if (agreed !== undefined && (await readFile(path, 'utf8')) === text)
    await rename(await written(path, agreed), path);
  await rm(next, { force: true });
  const present = await readFile(path, 'utf8');
  // Left beside the file by a process of another version that was killed.
  return isComplete(present) ? present : completeSecrets(path, present);
}

function completed(secrets: Stored): Stored {
  const ofEach = <T>(known: Partial<Record<ServiceName, T>>, make: () => T) =>
    Object.fromEntries(serviceNames.map((name) => [name, known[name] ?? make()]));
  return {
    ...secrets,
    internalKeys: ofEach(secrets.internalKeys, newKey),
    databases: ofEach(secrets.databases, () => ({ role: newPassword(), owner: newPassword() })),
  };
}

/** Beside the file: it gets its name whole or not at all, so that a kill in between leaves no half a file. */
async function written(path: string, text: string): Promise<string> {
  const own = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(own, text, { mode: 0o600 });
  return own;
}

/** Gives a file its name, which only one of several can. */
async function linked(from: string, to: string): Promise<void> {
  await link(from, to).catch(unless('EEXIST'));
}

export function unless(code: string): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined;
    throw error;
  };
}

export async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(unless('ENOENT'));
}

function present<T>(secret: T | undefined, service: string): T {
  if (secret === undefined) throw new Error(`There are no secrets of ${service}`);
  return secret;
}
