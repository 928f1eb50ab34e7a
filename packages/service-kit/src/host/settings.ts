import { isIP } from 'node:net';
import type { ServiceName } from '@portal/contracts';
import { z } from 'zod';
import { demoApiKey, demoPassword, demoSignUpKey } from '../demo.ts';
import { type Environment, givenIn } from '../environment.ts';
import type { FrontOptions } from './front.ts';

export const flag = (name: string) =>
  z.enum(['0', '1'], { error: `${name} must be 0 or 1` }).transform((value) => value === '1');

export const wholeNumber = (name: string, min: number, max: number) =>
  z
    .string({ error: `${name} is required: a whole number` })
    .regex(/^-?\d+$/, { error: `${name} must be a whole number` })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error: `${name} must be from ${min} to ${max}` });

/** An http(s) origin or address; a slash at its end is dropped. */
export const httpUrl = (name: string) =>
  z
    .url({ protocol: /^https?$/, error: `${name} must be an http(s) address` })
    .transform((value) => value.replace(/\/$/, ''));

export const postgresUrl = (name: string) =>
  z.url({ protocol: /^postgres(ql)?$/, error: `${name} must begin with postgresql://` });

/** A value that must be there, such as a key. */
export const required = (name: string, what: string) =>
  z.string({ error: `${name} is required: ${what}` }).min(1, { error: `${name} is required: ${what}` });

export type OriginSetting = `${Uppercase<Exclude<ServiceName, 'mail'>>}_URL` | 'MAIL_SERVICE_URL';

/** The setting that says where a service is reached. `MAIL_URL` is the mail server's. */
export const originSetting = (service: ServiceName) =>
  (service === 'mail' ? 'MAIL_SERVICE_URL' : `${service.toUpperCase()}_URL`) as OriginSetting;

/** Addresses and networks, such as `10.0.0.0/8`, with commas between them. */
const networks = (name: string) =>
  z
    .string()
    .transform((value) => value.split(',').map((one) => one.trim()))
    .refine((all) => all.every(isNetwork), {
      error: `${name} must be addresses or networks such as 10.0.0.0/8, with commas between them`,
    });

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

const longestOffset = 100 * 365 * 24 * 3_600_000;

/** The settings that every process has, in either host. */
export const commonSettings = {
  HOST: z.string().min(1, { error: 'HOST must be an address to listen on' }).default('127.0.0.1'),
  DEMO: flag('DEMO').default(true),
  CLOCK_OFFSET_MS: wholeNumber('CLOCK_OFFSET_MS', -longestOffset, longestOffset).default(0),
  /** The longest wait between two tries of an event that fails; the first is a second, and each is twice the one before. */
  EVENT_RETRY_LONGEST_SECONDS: wholeNumber('EVENT_RETRY_LONGEST_SECONDS', 1, 86_400).default(600),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
    })
    .default('info'),
};

/** The settings of whatever is the public origin, in either host. */
export const publicSettings = {
  API_KEY: z.string().min(12, { error: 'API_KEY must have at least 12 characters' }).optional(),
  /** Empty, sign-up is off; `signUpKeyIn` tells that from an absent one. */
  SIGNUP_KEY: z
    .string()
    .regex(/^[\x21-\x7E]*$/, { error: 'SIGNUP_KEY must have no spaces, and letters of ASCII alone' })
    .optional(),
  RATE_LIMIT: z.enum(['on', 'off'], { error: 'RATE_LIMIT must be on or off' }).default('on'),
  /** The proxies in front, whose `X-Forwarded-For` is believed: else everybody has the address of the last of them. */
  TRUSTED_PROXIES: networks('TRUSTED_PROXIES').default([]),
  /** Connections that are held at the same time: in all, and of one address, but for those of `TRUSTED_PROXIES`. */
  MAX_CONNECTIONS: wholeNumber('MAX_CONNECTIONS', 1, 1_000_000).default(10_000),
  MAX_CONNECTIONS_PER_ADDRESS: wholeNumber('MAX_CONNECTIONS_PER_ADDRESS', 1, 1_000_000).default(1_000),
};

/** What the public origin asks of the connections that clients open to it. */
export function publicFront(settings: {
  readonly MAX_CONNECTIONS: number;
  readonly MAX_CONNECTIONS_PER_ADDRESS: number;
  readonly PUBLIC_URL?: string | undefined;
  readonly TRUSTED_PROXIES: readonly string[];
}): Pick<FrontOptions, 'connections' | 'secure'> {
  return {
    secure: settings.PUBLIC_URL?.startsWith('https:') ?? false,
    connections: {
      inAll: settings.MAX_CONNECTIONS,
      perAddress: settings.MAX_CONNECTIONS_PER_ADDRESS,
      proxies: settings.TRUSTED_PROXIES,
    },
  };
}

type Given = {
  readonly DEMO: boolean;
  readonly CLOCK_OFFSET_MS: number;
  readonly API_KEY?: string | undefined;
  readonly RATE_LIMIT?: 'on' | 'off';
};

/** The settings that are or hold secrets. */
const secretSettings = [
  'ADMIN_PASSWORD',
  'API_KEY',
  'DATABASE_ADMIN_URL',
  'DATABASE_OWNER_PASSWORD',
  'DATABASE_PASSWORD',
  'DATABASE_URL',
  'GOOGLE_CLIENT_SECRET',
  'INTERNAL_KEYS',
  'KAFKA_SASL_PASSWORD',
  'KEY_ENCRYPTION_KEY',
  'MICROSOFT_CLIENT_SECRET',
  'S3_SECRET_ACCESS_KEY',
  'STORAGE_SECRET',
];
/** How the secrets begin, or their bytes, that stand in this repository for development. */
const developmentSecret = 'portal-development';

/** What is wrong with settings for real data: no known secret is accepted, and nothing that tests need. */
export function problemsWithoutDemo(value: Given, env: Environment): string[] {
  // The web client shows it to everybody.
  const shown =
    env['SIGNUP_KEY'] && env['SIGNUP_KEY'] === env['API_KEY'] ? ['SIGNUP_KEY must differ from API_KEY'] : [];
  if (value.DEMO) return shown;
  const problems = [...secretSettings, 'SIGNUP_KEY']
    .filter((name) => isKnown(env[name] ?? ''))
    .map((name) => `${name} must not be a secret of the demo or of development when DEMO=0`);
  problems.push(...shown);
  if (value.CLOCK_OFFSET_MS !== 0) problems.push('CLOCK_OFFSET_MS is for DEMO=1 alone');
  if (value.RATE_LIMIT === 'off') problems.push('RATE_LIMIT=off is for DEMO=1 alone');
  if (value.RATE_LIMIT !== undefined && !value.API_KEY) problems.push('API_KEY is required when DEMO=0');
  return problems;
}

function isKnown(secret: string): boolean {
  const ofDemo: readonly string[] = [demoPassword, demoApiKey, demoSignUpKey];
  if (ofDemo.includes(secret) || secret.includes(developmentSecret)) return true;
  return secret.split(',').some((key) => Buffer.from(key, 'base64').toString().startsWith(developmentSecret));
}

export type SettingsResult<T> =
  | { readonly settings: T; readonly problems?: never }
  | { readonly problems: readonly string[]; readonly settings?: never };

/** Reads the environment once. Reports every wrong or missing setting, one line each. */
export function readSettings<S extends z.ZodType>(schema: S, env: Environment): SettingsResult<z.output<S>> {
  const result = schema.safeParse(givenIn(env));
  if (result.success) return { settings: result.data };
  return { problems: result.error.issues.map(({ message }) => message) };
}
