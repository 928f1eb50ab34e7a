import { isAbsolute, resolve } from 'node:path';
import {
  type ApiKeys,
  commonSettings,
  demoApiKey,
  type FrontOptions,
  httpUrl,
  postgresUrl,
  problemsWithoutDemo,
  publicFront,
  publicSettings,
  readSettings as readEnvironment,
  type SettingsResult,
  signUpKeyIn,
  wholeNumber,
} from '@portal/service-kit/host';
import { z } from 'zod';

/** The settings of the embedded host, one line each. */
const schema = z.object({
  ...commonSettings,
  ...publicSettings,
  PORT: wholeNumber('PORT', 1, 65_535).default(8080),
  PUBLIC_URL: httpUrl('PUBLIC_URL').optional(),
  DATA_DIR: z.string().min(1, { error: 'DATA_DIR must be a folder' }).default('.data'),
  DATABASE_URL: postgresUrl('DATABASE_URL').optional(),
  ADMIN_EMAIL: z.email({ error: 'ADMIN_EMAIL must be an e-mail address' }).optional(),
  ADMIN_PASSWORD: z.string().optional(),
});

export interface Settings {
  readonly port: number;
  readonly host: string;
  /** What links and signed addresses begin with. */
  readonly publicUrl: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly demo: boolean;
  readonly apiKeys: ApiKeys;
  readonly clockOffsetMs: number;
  readonly rateLimited: boolean;
  /** Who says for whom they call. */
  readonly trustedProxies: readonly string[];
  /** What is asked of the connections of clients. */
  readonly front: Pick<FrontOptions, 'connections' | 'secure'>;
  readonly longestRetryMs: number;
  readonly logLevel: string;
}

/** Reads the environment once. Reports every wrong or missing setting, one line each. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): SettingsResult<Settings> {
  const { problems: wrong, settings: value } = readEnvironment(schema, env);
  if (wrong) return { problems: wrong };
  const problems = problemsWithoutDemo(value, env);
  if (!value.DEMO && (value.ADMIN_EMAIL === undefined) !== (value.ADMIN_PASSWORD === undefined)) {
    problems.push('ADMIN_EMAIL and ADMIN_PASSWORD are given together');
  }
  if (problems.length > 0) return { problems };
  return {
    settings: {
      port: value.PORT,
      host: value.HOST,
      publicUrl: value.PUBLIC_URL ?? `http://localhost:${value.PORT}`,
      dataDir: isAbsolute(value.DATA_DIR) ? value.DATA_DIR : resolve(value.DATA_DIR),
      databaseUrl: value.DATABASE_URL,
      demo: value.DEMO,
      apiKeys: {
        apiKey: value.API_KEY ?? demoApiKey,
        signUpKey: signUpKeyIn({ ...env, DEMO: value.DEMO ? '1' : '0' }),
      },
      clockOffsetMs: value.CLOCK_OFFSET_MS,
      rateLimited: value.RATE_LIMIT === 'on',
      trustedProxies: value.TRUSTED_PROXIES,
      front: publicFront(value),
      longestRetryMs: value.EVENT_RETRY_LONGEST_SECONDS * 1_000,
      logLevel: value.LOG_LEVEL,
    },
  };
}
