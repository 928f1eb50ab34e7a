import { type ServiceName, serviceNames } from '@portal/contracts';
import { z } from 'zod';
import {
  commonSettings,
  httpUrl,
  type OriginSetting,
  originSetting,
  postgresUrl,
  required,
  wholeNumber,
} from '../host/settings.ts';

/** Where the services listen on one machine when nothing else is said. */
export const defaultPorts: Readonly<Record<ServiceName, number>> = {
  gateway: 8080,
  identity: 8081,
  tenant: 8082,
  user: 8083,
  file: 8084,
  mail: 8085,
  batch: 8086,
};

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

/** Where each service is reached. */
const originSettings = Object.fromEntries(
  serviceNames.map((service) => [
    originSetting(service),
    httpUrl(originSetting(service)).default(`http://127.0.0.1:${defaultPorts[service]}`),
  ]),
) as Record<OriginSetting, z.ZodDefault<ReturnType<typeof httpUrl>>>;

/** The settings of every process, one line each. */
export const processSettings = (service: ServiceName) => ({
  ...commonSettings,
  PORT: wholeNumber('PORT', 1, 65_535).default(defaultPorts[service]),
  /** Kafka's first addresses. */
  KAFKA_BROKERS: required('KAFKA_BROKERS', 'addresses such as 127.0.0.1:9092, separated by commas').transform(
    (value) => value.split(',').map((broker) => broker.trim()),
  ),
  /** Of topics that are made. */
  KAFKA_PARTITIONS: wholeNumber('KAFKA_PARTITIONS', 1, 1_000).default(6),
  KAFKA_REPLICATION_FACTOR: wholeNumber('KAFKA_REPLICATION_FACTOR', 1, 10).default(1),
  KAFKA_MIN_INSYNC_REPLICAS: wholeNumber('KAFKA_MIN_INSYNC_REPLICAS', 1, 10).default(1),
  KAFKA_RETENTION_HOURS: wholeNumber('KAFKA_RETENTION_HOURS', 1, 100_000).default(168),
  /** Sign the calls among the services: the first one signs, all are accepted. */
  INTERNAL_KEYS: keys('INTERNAL_KEYS'),
  /** How long a process goes on answering after it was told to stop, until nobody sends it anything new. */
  DRAIN_SECONDS: wholeNumber('DRAIN_SECONDS', 0, 600).default(0),
  ...originSettings,
});

/** The settings of a process with a database. */
export const databaseSettings = {
  /** Of a role that may create roles and databases on the PostgreSQL server. */
  DATABASE_URL: postgresUrl('DATABASE_URL'),
  /** Of the service's own roles, which are made. */
  DATABASE_PASSWORD: required('DATABASE_PASSWORD', "the password of the service's own database roles"),
};

/** The settings of a process that keeps or serves objects. */
export const storageSettings = {
  PUBLIC_URL: httpUrl('PUBLIC_URL').default(`http://localhost:${defaultPorts.gateway}`),
  /** Signs the addresses of stored objects. */
  STORAGE_SECRET: key('STORAGE_SECRET'),
  S3_ENDPOINT: httpUrl('S3_ENDPOINT'),
  S3_REGION: z.string().default('us-east-1'),
  S3_BUCKET: required('S3_BUCKET', 'the name of the bucket'),
  S3_ACCESS_KEY_ID: required('S3_ACCESS_KEY_ID', 'the access key'),
  S3_SECRET_ACCESS_KEY: required('S3_SECRET_ACCESS_KEY', 'its secret'),
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
