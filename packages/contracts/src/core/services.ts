import type { Topic } from './event.ts';

/** Every service that answers routes, and the gateway in front of them, in the order of their ports. */
export const serviceNames = [
  'gateway',
  'identity',
  'tenant',
  'user',
  'file',
  'mail',
  'batch',
  'push',
  'sso',
  'document',
] as const;
export type ServiceName = (typeof serviceNames)[number];

/** What other services and operators need to know about a service. Its routes and subscriptions are declared elsewhere. */
export interface ServiceEntry {
  /** The default port. */
  readonly port: number;
  /** The engines that it uses besides Kafka, which every service uses for events. */
  readonly engines: readonly ('database' | 'documents' | 'storage' | 'mail')[];
  /** The topics on which it publishes; a service with a database also publishes operation logs. */
  readonly topics: readonly Topic[];
  /**
   * The services that it calls while it answers; there is no circle. All services also ask `tokenAuthority` for keys and
   * revoked sessions, which it answers without calling others.
   */
  readonly asks: readonly ServiceName[];
  /** The secrets of the installation that it shares, by their settings. Its own keys and password each service has anyway. */
  readonly secrets: readonly (
    | 'ADMIN_EMAIL'
    | 'ADMIN_PASSWORD'
    | 'API_KEY'
    | 'GOOGLE_CLIENT_SECRET'
    | 'KEY_ENCRYPTION_KEY'
    | 'MICROSOFT_CLIENT_SECRET'
    | 'STORAGE_SECRET'
  )[];
}

/** Signs the tokens of people and players, and says which sessions have ended. */
export const tokenAuthority: ServiceName = 'identity';

/**
 * The one place that lists the services. A new one is an entry here and a folder in `services/`; the chart, the Tiltfile and
 * the embedded host name it too, and tests hold all of them to this list.
 */
export const services: Readonly<Record<ServiceName, ServiceEntry>> = {
  gateway: {
    port: 8080,
    engines: ['storage'],
    topics: [],
    asks: ['identity', 'tenant', 'user', 'file', 'mail', 'batch', 'push', 'sso', 'document'],
    secrets: ['API_KEY', 'STORAGE_SECRET'],
  },
  identity: {
    port: 8081,
    engines: ['database'],
    topics: ['portal.identity', 'portal.mail'],
    asks: ['tenant', 'user', 'mail'],
    secrets: [
      'API_KEY',
      'KEY_ENCRYPTION_KEY',
      'ADMIN_EMAIL',
      'ADMIN_PASSWORD',
      'GOOGLE_CLIENT_SECRET',
      'MICROSOFT_CLIENT_SECRET',
    ],
  },
  tenant: {
    port: 8082,
    engines: ['database', 'storage'],
    topics: ['portal.tenant', 'portal.mail', 'portal.batch'],
    asks: [],
    secrets: ['API_KEY', 'KEY_ENCRYPTION_KEY'],
  },
  user: {
    port: 8083,
    engines: ['database', 'storage'],
    topics: ['portal.user', 'portal.batch'],
    asks: ['tenant'],
    secrets: [],
  },
  file: {
    port: 8084,
    engines: ['database', 'storage'],
    topics: ['portal.file', 'portal.batch'],
    asks: ['tenant', 'user', 'push'],
    secrets: ['STORAGE_SECRET'],
  },
  mail: {
    port: 8085,
    engines: ['database', 'mail'],
    topics: ['portal.mail'],
    asks: ['tenant'],
    secrets: [],
  },
  batch: {
    port: 8086,
    engines: ['database', 'storage'],
    topics: ['portal.batch'],
    asks: ['tenant', 'file'],
    secrets: ['STORAGE_SECRET'],
  },
  push: {
    port: 8087,
    engines: ['database', 'storage'],
    topics: ['portal.push', 'portal.batch'],
    asks: ['tenant', 'user'],
    secrets: ['KEY_ENCRYPTION_KEY'],
  },
  sso: {
    port: 8088,
    engines: ['database'],
    topics: ['portal.sso'],
    asks: ['tenant', 'user'],
    secrets: ['KEY_ENCRYPTION_KEY'],
  },
  document: {
    port: 8089,
    engines: ['database', 'documents'],
    topics: ['portal.document'],
    asks: ['tenant'],
    secrets: ['KEY_ENCRYPTION_KEY'],
  },
};

/** The services with a database; each also writes operation logs. */
export const servicesWithDatabase: readonly ServiceName[] = serviceNames.filter((name) =>
  services[name].engines.includes('database'),
);
