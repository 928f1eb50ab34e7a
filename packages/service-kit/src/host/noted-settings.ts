import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServiceName, services } from '@portal/contracts';
import { loadSecrets, publicKeysIn } from './secrets.ts';
import { originSetting } from './settings.ts';

/** Where a data folder keeps what the services of a set have in common: their addresses and those of the engines. */
export const notesOf = (dataDir: string, set = ''): string => join(dataDir, `processes${set}.json`);

export async function readNotes(dataDir: string, set = ''): Promise<Record<string, string>> {
  return JSON.parse(await readFile(notesOf(dataDir, set), 'utf8').catch(() => '{}'));
}

/**
 * The settings of a service that is a process of its own on this machine: what its set has in common, and its own secrets of this
 * installation.
 */
export async function notedSettings(
  service: ServiceName,
  { dataDir, set }: { readonly dataDir: string; readonly set: string },
): Promise<Record<string, string>> {
  const noted = await readNotes(dataDir, set);
  const secrets = await loadSecrets(dataDir);
  const own = noted[originSetting(service)];
  return {
    ...noted,
    ...(own && { PORT: new URL(own).port }),
    INTERNAL_KEYS: secrets.internalKeysOf(service).join(','),
    INTERNAL_PUBLIC_KEYS: publicKeysIn(secrets),
    ...(services[service].engines.includes('database') && {
      DATABASE_PASSWORD: secrets.databaseOf(service).role,
    }),
    ...secrets.sharedWith(service),
  };
}

/** The address of a database without the administrator that it was noted with, whom a service must not be. */
export function withoutRole(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}
