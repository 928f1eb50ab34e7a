import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServiceName, services } from '@portal/contracts';
import { type Environment, givenIn } from '../environment.ts';
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

/**
 * What a service that is started by itself takes: the environment, and for what it leaves open the notes. A PORT and a HOST in the
 * environment are those of the gateway, beside which the others have ports of their own.
 */
export function overNotes(service: ServiceName, noted: Environment, env: Environment): Environment {
  const all = { ...noted, ...givenIn(env) };
  if (!noted['PORT']) return all;
  const { HOST, ...others } = all;
  return { ...(service === 'gateway' ? all : others), PORT: noted['PORT'] };
}

/** The address of a database without the administrator that it was noted with, whom a service must not be. */
export function withoutRole(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}
