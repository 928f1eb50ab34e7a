import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { serviceNames } from '../packages/contracts/src/index.ts';
import { publicKeyOf } from '../packages/service-kit/src/host/internal-keys.ts';

/**
 * `npm run --silent secrets [file]`: the secrets of an installation, a line NAME=value each, for the Secret of Kubernetes.
 * What stands in the file already stays; what is missing is made; the public keys are those of the keys that are there.
 */

const file = process.argv[2];
const given = new Map(
  (file ? readFileSync(file, 'utf8') : '')
    .split('\n')
    .filter((line) => /^\w+=/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1).trim()] as const),
);
const key = () => randomBytes(32).toString('base64');
const password = () => randomBytes(24).toString('hex');

const secrets = new Map(given);
const keep = (name: string, make: () => string) => secrets.set(name, given.get(name) || make());
keep('API_KEY', password);
keep('KEY_ENCRYPTION_KEY', key);
keep('STORAGE_SECRET', key);
const publicKeys: string[] = [];
for (const service of serviceNames) {
  const prefix = service.toUpperCase();
  keep(`${prefix}_INTERNAL_KEYS`, key);
  for (const own of secrets.get(`${prefix}_INTERNAL_KEYS`)?.split(',') ?? [])
    publicKeys.push(`${service}:${publicKeyOf(Buffer.from(own, 'base64'))}`);
  if (service === 'gateway') continue;
  keep(`${prefix}_DATABASE_PASSWORD`, password);
  keep(`${prefix}_DATABASE_OWNER_PASSWORD`, password);
}
secrets.set('INTERNAL_PUBLIC_KEYS', publicKeys.join(','));
for (const [name, value] of secrets) console.log(`${name}=${value}`);
