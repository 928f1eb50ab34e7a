import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';

const flag = (name: string) =>
  z.enum(['0', '1'], { error: `${name} must be 0 or 1` }).transform((value) => value === '1');

const wholeNumber = (name: string, min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d+$/, { error: `${name} must be a whole number` })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error: `${name} must be from ${min} to ${max}` });

const longestOffset = 100 * 365 * 24 * 3_600_000;

/** The settings of the embedded host, one line each. */
const schema = z.object({
  PORT: wholeNumber('PORT', 1, 65_535).default(8080),
  HOST: z.string().min(1, { error: 'HOST must be an address to listen on' }).default('127.0.0.1'),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'PUBLIC_URL must be an http(s) address' }).optional(),
  DATA_DIR: z.string().min(1, { error: 'DATA_DIR must be a folder' }).default('.data'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'DATABASE_URL must begin with postgresql://' })
    .optional(),
  DEMO: flag('DEMO').default(true),
  ADMIN_EMAIL: z.email({ error: 'ADMIN_EMAIL must be an e-mail address' }).optional(),
  ADMIN_PASSWORD: z.string().optional(),
  API_KEY: z.string().min(12, { error: 'API_KEY must have at least 12 characters' }).optional(),
  CLOCK_OFFSET_MS: wholeNumber('CLOCK_OFFSET_MS', -longestOffset, longestOffset).default(0),
  RATE_LIMIT: z.enum(['on', 'off'], { error: 'RATE_LIMIT must be on or off' }).default('on'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
    })
    .default('info'),
});

export interface Settings {
  readonly port: number;
  readonly host: string;
  /** What links and signed addresses begin with. */
  readonly publicUrl: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly demo: boolean;
  readonly apiKey: string;
  readonly clockOffsetMs: number;
  readonly rateLimited: boolean;
  readonly logLevel: string;
}

export type SettingsResult =
  | { readonly settings: Settings; readonly problems?: never }
  | { readonly problems: readonly string[]; readonly settings?: never };

const demoApiKey = 'demo-api-key';

/** Reads the environment once. Every wrong or missing setting is told, one line each. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): SettingsResult {
  // An empty value is the same as an absent one.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = schema.safeParse(given);
  if (!result.success) return { problems: result.error.issues.map(({ message }) => message) };
  const value = result.data;
  const problems = value.DEMO ? [] : withoutDemo(value);
  if (problems.length > 0) return { problems };
  return {
    settings: {
      port: value.PORT,
      host: value.HOST,
      publicUrl: (value.PUBLIC_URL ?? `http://localhost:${value.PORT}`).replace(/\/+$/, ''),
      dataDir: isAbsolute(value.DATA_DIR) ? value.DATA_DIR : resolve(value.DATA_DIR),
      databaseUrl: value.DATABASE_URL,
      demo: value.DEMO,
      apiKey: value.API_KEY ?? demoApiKey,
      clockOffsetMs: value.CLOCK_OFFSET_MS,
      rateLimited: value.RATE_LIMIT === 'on',
      logLevel: value.LOG_LEVEL,
    },
  };
}

/** With real data no default secret is accepted, and nothing that tests need. */
function withoutDemo(value: z.output<typeof schema>): string[] {
  const problems: string[] = [];
  if (!value.API_KEY) problems.push('API_KEY is required when DEMO=0');
  if (value.API_KEY === demoApiKey) problems.push('API_KEY must not be the demo key when DEMO=0');
  if (value.CLOCK_OFFSET_MS !== 0) problems.push('CLOCK_OFFSET_MS is for DEMO=1 alone');
  if (value.RATE_LIMIT === 'off') problems.push('RATE_LIMIT=off is for DEMO=1 alone');
  if ((value.ADMIN_EMAIL === undefined) !== (value.ADMIN_PASSWORD === undefined)) {
    problems.push('ADMIN_EMAIL and ADMIN_PASSWORD are given together');
  }
  return problems;
}
