import { type ServiceName, serviceNames, services } from '@portal/contracts';
import type { KafkaConnection } from '@portal/messaging/kafka';
import { z } from 'zod';
import type { Environment } from '../environment.ts';
import { isPublicKey } from '../host/internal-keys.ts';
import {
  commonSettings,
  flag,
  httpUrl,
  type OriginSetting,
  originSetting,
  postgresUrl,
  readSettings,
  required,
  wholeNumber,
} from '../host/settings.ts';

const keyBytes = 32;

/** Keys of 32 bytes in base64, separated by commas. */
const keys = (name: string) =>
  required(name, 'keys of 32 bytes in base64')
    .transform((value) => value.split(',').map((key) => Buffer.from(key.trim(), 'base64')))
    .refine((list) => list.every((key) => key.length === keyBytes), {
      error: `${name} must be keys of 32 bytes in base64, separated by commas`,
    });

const key = (name: string) =>
  required(name, 'a key of 32 bytes in base64')
    .transform((value) => Buffer.from(value, 'base64'))
    .refine((bytes) => bytes.length === keyBytes, { error: `${name} must be 32 bytes in base64` });

/** Public keys as in `file:AbC…,mail:DeF…`, several of a service while one is exchanged. */
const publicKeys = (name: string) => {
  const error = `${name} must be the public keys of all services, as in file:AbC…,mail:DeF…`;
  return required(name, 'the public keys of all services')
    .transform((value) => value.split(',').map((one) => one.trim().split(':') as [string, string?]))
    .refine((pairs) => pairs.every(([, key = '']) => isPublicKey(key)), { error })
    .transform(
      (pairs): ReadonlyMap<string, readonly string[]> =>
        new Map(
          [...Map.groupBy(pairs, ([service]) => service)].map(([service, own]) => [
            service,
            own.map(([, key = '']) => key),
          ]),
        ),
    )
    .refine((known) => serviceNames.every((service) => known.has(service)), { error });
};

/** Where each service is reached. */
const originSettings = Object.fromEntries(
  serviceNames.map((service) => [
    originSetting(service),
    httpUrl(originSetting(service)).default(`http://127.0.0.1:${services[service].port}`),
  ]),
) as Record<OriginSetting, z.ZodDefault<ReturnType<typeof httpUrl>>>;

/** How Kafka is reached. */
export const kafkaSettings = {
  /** Kafka's first addresses. */
  KAFKA_BROKERS: required('KAFKA_BROKERS', 'addresses such as 127.0.0.1:9092, separated by commas').transform(
    (value) => value.split(',').map((broker) => broker.trim()),
  ),
  /** By TLS, with a certificate of an authority that Node knows, of NODE_EXTRA_CA_CERTS, or of KAFKA_TLS_CA. */
  KAFKA_SSL: flag('KAFKA_SSL').default(false),
  KAFKA_TLS_CA: z
    .string()
    .refine((value) => value.includes('-----BEGIN CERTIFICATE-----'), {
      error: 'KAFKA_TLS_CA must be certificates themselves, in PEM',
    })
    .optional(),
  KAFKA_SASL_MECHANISM: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512'], {
      error: 'KAFKA_SASL_MECHANISM must be plain, scram-sha-256 or scram-sha-512',
    })
    .optional(),
  KAFKA_SASL_USERNAME: z.string().optional(),
  KAFKA_SASL_PASSWORD: z.string().optional(),
};

/** What the settings of Kafka say together; `problems` where they do not fit. */
export function kafkaConnectionOf(settings: z.output<z.ZodObject<typeof kafkaSettings>>): {
  readonly connection: KafkaConnection;
  readonly problems: readonly string[];
} {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_PASSWORD: password } = settings;
  const { KAFKA_BROKERS: brokers, KAFKA_SASL_USERNAME: username, KAFKA_SSL, KAFKA_TLS_CA: ca } = settings;
  const sasl = mechanism && username && password ? { mechanism, username, password } : undefined;
  const problems = [
    ...(!sasl && (mechanism || username || password)
      ? ['KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD are given together']
      : []),
    ...(ca && !KAFKA_SSL ? ['KAFKA_TLS_CA is for KAFKA_SSL=1 alone'] : []),
  ];
  return {
    connection: { brokers, ...(KAFKA_SSL && { tls: { ...(ca && { ca }) } }), ...(sasl && { sasl }) },
    problems,
  };
}

/** The same for a program that has no other settings. @throws Error with what is wrong with them */
export function readKafkaConnection(env: Environment): KafkaConnection {
  const read = readSettings(z.object(kafkaSettings), env);
  const kafka = read.settings ? kafkaConnectionOf(read.settings) : undefined;
  const problems = read.problems ?? kafka?.problems ?? [];
  if (!kafka || problems.length > 0) throw new Error(problems.join('\n'));
  return kafka.connection;
}

/** The settings of every process, one line each. */
export const processSettings = (service: ServiceName) => ({
  ...commonSettings,
  PORT: wholeNumber('PORT', 1, 65_535).default(services[service].port),
  ...kafkaSettings,
  /** Of topics that are made. */
  KAFKA_PARTITIONS: wholeNumber('KAFKA_PARTITIONS', 1, 1_000).default(6),
  KAFKA_REPLICATION_FACTOR: wholeNumber('KAFKA_REPLICATION_FACTOR', 1, 10).default(1),
  KAFKA_MIN_INSYNC_REPLICAS: wholeNumber('KAFKA_MIN_INSYNC_REPLICAS', 1, 10).default(1),
  KAFKA_RETENTION_HOURS: wholeNumber('KAFKA_RETENTION_HOURS', 1, 100_000).default(168),
  /** The service's own for the calls among the services: the first one signs and seals, all open. */
  INTERNAL_KEYS: keys('INTERNAL_KEYS'),
  /** Tell who signed a call. */
  INTERNAL_PUBLIC_KEYS: publicKeys('INTERNAL_PUBLIC_KEYS'),
  /** How long a process continues to answer after the order to stop, until clients send it nothing new. */
  DRAIN_SECONDS: wholeNumber('DRAIN_SECONDS', 0, 600).default(0),
  ...originSettings,
});

/** The settings of a process with a database. */
export const databaseSettings = {
  /** The PostgreSQL server. It names no role: the service has its own. */
  DATABASE_URL: postgresUrl('DATABASE_URL').refine(
    (url) => !URL.canParse(url) || new URL(url).username === '',
    {
      error: 'DATABASE_URL must name no role and no password, since each service has its own',
    },
  ),
  /** Of the service's own role. */
  DATABASE_PASSWORD: required('DATABASE_PASSWORD', "the password of the service's own database role"),
};

/** The settings of the step that makes a service's database and brings it up to date. */
export const provisionSettings = {
  /** Of a role that may create roles and databases on the PostgreSQL server. */
  DATABASE_ADMIN_URL: postgresUrl('DATABASE_ADMIN_URL'),
  DATABASE_PASSWORD: databaseSettings.DATABASE_PASSWORD,
  /** Of the role that owns the service's database. */
  DATABASE_OWNER_PASSWORD: required(
    'DATABASE_OWNER_PASSWORD',
    "the password of the role that owns the service's database",
  ),
};

/** The settings of a process that keeps objects. */
export const objectSettings = {
  S3_ENDPOINT: httpUrl('S3_ENDPOINT'),
  S3_REGION: z.string().default('us-east-1'),
  S3_BUCKET: required('S3_BUCKET', 'the name of the bucket'),
  S3_ACCESS_KEY_ID: required('S3_ACCESS_KEY_ID', 'the access key'),
  S3_SECRET_ACCESS_KEY: required('S3_SECRET_ACCESS_KEY', 'its secret'),
};

/** The settings of a process that gives out or serves addresses of objects as well. */
export const storageSettings = {
  ...objectSettings,
  PUBLIC_URL: httpUrl('PUBLIC_URL').default(`http://localhost:${services.gateway.port}`),
  /** Signs the addresses of stored objects. */
  STORAGE_SECRET: key('STORAGE_SECRET'),
  /** The origin of signed addresses; without it objects go through the gateway. */
  S3_PUBLIC_URL: httpUrl('S3_PUBLIC_URL').optional(),
};

export type ProcessSettings = z.output<z.ZodObject<ReturnType<typeof processSettings>>>;

/** Where each service is reached. @throws Error for what is no service */
export function originsIn(settings: ProcessSettings): (service: string) => string {
  const origins = new Map<string, string>(serviceNames.map((name) => [name, settings[originSetting(name)]]));
  return (service) => {
    const origin = origins.get(service);
    if (origin === undefined) throw new Error(`No such service: ${service}`);
    return origin;
  };
}
