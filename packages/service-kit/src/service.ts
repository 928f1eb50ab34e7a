import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { admits, identityRoutes, isForTenants, type ServiceName } from '@portal/contracts';
import {
  createDatabase,
  createScopedPool,
  type Database,
  enterScope,
  executorOf,
  type Scope,
  withClient,
} from '@portal/database';
import { AppError, type Clock, type Logger } from '@portal/kernel';
import {
  appendToOutbox,
  type BusSubscription,
  createInbox,
  createRelay,
  type EventBus,
  type EventDefinition,
  type Inbox,
  messagingMigrations,
  type Relay,
  type SqlExecutor,
} from '@portal/messaging';
import type { ObjectStorage } from '@portal/storage';
import type { FastifyInstance } from 'fastify';
import type { ClientBase } from 'pg';
import type { z } from 'zod';
import { apiKeyCheck, apiKeyIn, signUpKeyIn } from './auth/api-key.ts';
import type { Authority } from './auth/authorise.ts';
import { followContracts, type ReadContract } from './auth/contracts.ts';
import { createInternalTokens, createInternalVerifier, type InternalKeys } from './auth/internal-tokens.ts';
import { followRevocations, type ReadRevocations, revocationsOf } from './auth/revocations.ts';
import type { KeySource } from './auth/tokens.ts';
import { purgeCopies } from './copies/copy.ts';
import {
  coveredTables,
  type PartnerRows,
  partnerDeletion,
  partnerDeletionJob,
} from './copies/deleted-partners.ts';
import { ensureDemoMode } from './demo.ts';
import { createDirectStore, type DirectStore } from './direct-store.ts';
import { type Environment, givenIn } from './environment.ts';
import { serveHealth } from './http/health.ts';
import { createIdempotentReplies } from './http/idempotency.ts';
import type { Implementation } from './http/implement.ts';
import { createOperationLog } from './http/operation-log.ts';
import { buildServer } from './http/server.ts';
import { type Job, type RunningJobs, startJobs } from './jobs.ts';
import { createPeers, type Peers, type PeerTransport } from './peers.ts';
import { systemScope } from './scopes.ts';
import { createSeals, type Seals } from './seals.ts';
import { createStore, type Store } from './store.ts';
import type { EventHandler } from './subscriptions.ts';
import { observeService } from './telemetry/gauges.ts';
import type { TelemetrySource } from './telemetry/telemetry.ts';

/** What the host gives a service. The service never knows which engines stand behind it. */
export interface Infrastructure<Name extends string = ServiceName> {
  readonly env: Environment;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly bus: EventBus;
  /** For services that use it. */
  readonly storage?: ObjectStorage;
  readonly transport: PeerTransport;
  readonly internalKeys: InternalKeys;
  /** Between two tries of an event. */
  readonly longestRetryMs?: number;
  readonly telemetry?: TelemetrySource;
  /** The address of the service's database for its own role; it is there and has had its migrations. */
  prepareDatabase(service: Name, migrations: readonly string[]): Promise<string>;
}

export interface ServiceContext<Db, Config> {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: Store<Db>;
  readonly direct: DirectStore;
  /** Throws unless the service declares `usesStorage`. */
  readonly storage: ObjectStorage;
  readonly peers: Peers;
  readonly seals: Seals;
  /** The key that the web client sends with a sign-up; undefined while sign-up is off. */
  readonly signUpKey: string | undefined;
  /** For the rare case of a separate connection, for example for LISTEN. */
  readonly databaseUrl: string;
  /** Resolves when all committed urgent events are published; for changes that must take effect before the answer. */
  published(): Promise<void>;
  /** Subscribes this instance to each event of a type from now on; no position is stored. */
  subscribe<D>(event: EventDefinition<D>, onData: (data: D) => void): Promise<void>;
}

/** The parts of a service: its inputs (routes, events) and its jobs. */
export interface ServiceParts<Db> {
  readonly routes: readonly Implementation[];
  readonly subscriptions?: readonly EventHandler<Db>[];
  readonly jobs?: readonly Job[];
  /** The contract of a partner, for routes of people and players of tenants. */
  readonly contractOf?: ReadContract;
  /** The tenant whose own key this is, for routes that take such keys, looked for among those of all tenants. */
  readonly tenantOfKey?: (key: string, scope: Scope) => Promise<number | undefined>;
  /** The unit of a partner, for routes by which administrators reach one. Throws `E40402` for no partner. */
  readonly unitOf?: (partnerId: number) => Promise<number>;
  /** Where the token keys come from, if not from the identity service. */
  readonly keySource?: KeySource;
  /** Ended sessions, if not read from the identity service. */
  readonly readRevocations?: ReadRevocations;
  /** Creates the demo data once: a second call changes nothing. It may wait for other services. */
  readonly seed?: () => Promise<void>;
  /** Closes what `create` opened, such as a separate connection; runs after requests and jobs. */
  readonly close?: () => Promise<void>;
}

/** A service that a host can start. Hosts of the product start those of the registry alone. */
export interface ServiceDefinition<Name extends string = ServiceName> {
  readonly name: Name;
  /** It keeps objects; other services are given no store. */
  readonly usesStorage: boolean;
  /** It gives out addresses of objects, and so has the secret that signs them. */
  readonly signsAddresses: boolean;
  /** The tables of which it says what becomes of the rows of a deleted partner. */
  readonly partnerTables: ReadonlySet<string>;
  /** The folders with the migrations of its database. */
  readonly migrations: readonly string[];
  /** What is wrong with the settings of this service; empty when it can start. */
  checkSettings(env: Infrastructure['env']): readonly string[];
  start(infrastructure: Infrastructure<Name>): Promise<RunningService>;
}

export interface RunningService {
  readonly name: string;
  /** Answers the service's routes; it does not listen by itself. */
  readonly app: FastifyInstance;
  /** Rejects with the reason while the service cannot do its work. */
  ready(): Promise<void>;
  /**
   * Starts publishing and jobs. A host that runs several services calls it when all have started, because an event
   * must not be published before all its subscribers are registered.
   */
  work(): void;
  /** Runs every job once, now instead of in its interval: for a test that has moved the clock. Nothing before `work`. */
  runJobs(): Promise<void>;
  seed(): Promise<void>;
  stats(): Promise<{
    outbox: Awaited<ReturnType<Relay['stats']>>;
    handlers: Awaited<ReturnType<Inbox['stats']>>;
  }>;
  /** Requests end first, then the workers, then the connections. */
  stop(): Promise<void>;
}

const hour = 3_600_000;
const poolSize = 10;
/** Each for a moment, unless somebody holds what a sign-in waits for: then others still find one. None while nothing comes. */
const directPoolSize = 8;
const publishWithinMs = 2_000;
const singleWithinMs = 30_000;
const singleScope = systemScope('the log of operations, and whether anything was written');
const kitMigrations = fileURLToPath(new URL('../migrations', import.meta.url));

/**
 * Declares a service. `create` is its composition root: it wires use cases by hand and returns everything that comes in.
 * `directory` holds the service's `prisma/migrations`.
 */
export function defineService<
  Db extends SqlExecutor,
  Config,
  const Name extends string = ServiceName,
>(definition: {
  readonly name: Name;
  readonly usesStorage?: boolean;
  readonly signsAddresses?: boolean;
  readonly config: z.ZodType<Config>;
  readonly directory: URL;
  /** The class that Prisma generated for the service. */
  readonly prismaClient: Parameters<typeof createDatabase<Db>>[0]['PrismaClient'];
  /** What becomes of the rows of a partner that is deleted. */
  readonly partnerRows?: PartnerRows<Db>;
  /** A query that finds a row where the demo is filled in. */
  readonly demoRows?: string;
  create(context: ServiceContext<Db, Config>): ServiceParts<Db> | Promise<ServiceParts<Db>>;
}): ServiceDefinition<Name> {
  const { config: schema, name } = definition;
  const migrations = [
    messagingMigrations,
    kitMigrations,
    fileURLToPath(new URL('prisma/migrations', definition.directory)),
  ];
  return {
    name,
    usesStorage: definition.usesStorage ?? false,
    signsAddresses: definition.signsAddresses ?? false,
    partnerTables: coveredTables(definition.partnerRows ?? noPartnerRows),
    migrations,

    checkSettings(env) {
      const result = schema.safeParse(givenIn(env));
      return result.success
        ? []
        : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    },

    async start(infrastructure) {
      const { bus, clock, env, internalKeys, longestRetryMs, transport } = infrastructure;
      const logger = infrastructure.logger.child({ service: name });
      const telemetry = infrastructure.telemetry?.of(name);
      const tracer = telemetry?.tracer;
      const url = await infrastructure.prepareDatabase(name, migrations);
      const database = createDatabase<Db>({
        url,
        poolSize,
        PrismaClient: definition.prismaClient,
        logger,
      });
      await ensureDemoMode(database, { url, demo: env['DEMO'] === '1', demoRows: definition.demoRows }).catch(
        async (error: unknown) => {
          await database.close();
          throw error;
        },
      );
      const store = createStore({ database, source: name, clock });
      const direct = createDirectStore({ url, poolSize: directPoolSize, source: name, clock, logger });
      const ofSystem = {
        connectionString: url,
        onConnect: (client: ClientBase) =>
          enterScope(client, url, systemScope('events are sent and received for all tenants')),
      };
      const relay = createRelay({ ...ofSystem, bus, clock, logger, tracer });
      const peers = createPeers({ transport, tokenFor: createInternalTokens(name, internalKeys) });

      const heard: BusSubscription[] = [];
      const parts = await definition.create({
        config: schema.parse(givenIn(env)),
        clock,
        logger,
        store,
        direct,
        get storage() {
          assert(
            definition.usesStorage && infrastructure.storage,
            `${name} does not declare that it uses storage`,
          );
          return infrastructure.storage;
        },
        peers,
        seals: createSeals(internalKeys),
        signUpKey: signUpKeyIn(env),
        databaseUrl: url,
        async subscribe(event, onData) {
          heard.push(
            await bus.broadcast({
              topics: [event.topic],
              onEvent({ data, type }) {
                if (type === event.type) onData(event.data.parse(data));
              },
            }),
          );
        },
        published: async () => relay.drain(publishWithinMs, 'urgent'),
      });

      const handlers = [...(parts.subscriptions ?? []), partnerDeletion<Db>()];
      let jobs: RunningJobs | undefined;
      const inbox = createInbox<Db>({
        ...ofSystem,
        service: name,
        subscriptions: handlers.map((handler) =>
          handler.subscription({ source: name, clock, enter: database.enter }),
        ),
        async runInTransaction(work, eventTypes) {
          // Its handlers enter the scopes of the events.
          const result = await database.transaction(systemScope('events are claimed'), work);
          for (const { event, wakes } of handlers) {
            if (wakes !== undefined && eventTypes.includes(event.type)) jobs?.wake(wakes);
          }
          return result;
        },
        clock,
        logger,
        tracer,
        ...(longestRetryMs !== undefined && { retry: { firstMs: 1_000, longestMs: longestRetryMs } }),
      });

      const revocations = await followRevocations({
        bus,
        clock,
        read: parts.readRevocations ?? revocationsOf(peers),
      });
      const contracts = await followContracts({ bus, read: contractReader(parts) });
      // Of every call that is logged by itself, and of looks whether anything was written: one statement, and no transaction around it.
      const single = createScopedPool({ url, poolSize: 1, logger });
      const idempotentReplies = createIdempotentReplies({ sql: unscoped(database), clock, logger });
      const app = buildServer({
        implementations: parts.routes,
        tokens: { keys: parts.keySource ?? remoteKeys(peers), revocations, clock },
        authority: {
          verifyService: createInternalVerifier(name, internalKeys),
          isApiKey: checkOfApiKey(parts.routes, env),
          tenantOfKey: async (key) =>
            (parts.tenantOfKey ?? noTenantKeys)(key, systemScope('a key tells whose it is')),
          contractOf: (partnerId) => contracts.of(partnerId),
          clock,
          unitOf: parts.unitOf ?? noUnit,
        },
        operationLog: createOperationLog({
          source: name,
          clock,
          append: async (events) =>
            single.use(singleScope, singleWithinMs, async (connection) =>
              appendToOutbox(executorOf(connection), events),
            ),
        }),
        idempotentReplies,
        logger,
        telemetry,
      });
      let seeded = false;
      serveHealth(app, {
        needs: { database: async () => database.ready() },
        tells: {
          ...(parts.seed && env['DEMO'] === '1' && { demo: async () => assert(seeded, 'Not filled in yet') }),
        },
      });
      await app.ready();
      await inbox.start(bus);
      const stats = async () => ({ outbox: await relay.stats(), handlers: await inbox.stats() });
      const snapshot = async () =>
        single.use(singleScope, singleWithinMs, async (connection) => {
          const { rows } = await connection.query<{ shown: string }>({
            text: 'SELECT pg_current_snapshot()::text AS shown',
          });
          return rows[0]?.shown ?? '';
        });
      const endObserving = telemetry && observeService(telemetry.meter, { database, stats });

      return {
        name,
        app,
        ready: async () => database.ready(),
        work() {
          relay.start();
          jobs ??= startJobs(
            [
              ...(parts.jobs ?? []),
              { name: 'purge-inbox', everyMs: hour, run: async () => void (await inbox.purge()) },
              partnerDeletionJob({ clock, store }, definition.partnerRows ?? noPartnerRows),
              {
                name: 'purge-copies',
                everyMs: hour,
                run: async () => purgeCopies(unscoped(database), clock.now()),
              },
              { name: 'purge-idempotent-replies', everyMs: hour, run: async () => idempotentReplies.purge() },
            ],
            { clock, logger, snapshot },
          );
        },
        runJobs: async () => jobs?.runAll(),
        async seed() {
          // One instance at a time: what another one has filled in is found, not made again.
          await withClient(url, async (client) => {
            await client.query(`SELECT pg_advisory_lock(hashtextextended('demo data', 0))`);
            await parts.seed?.();
          });
          seeded = true;
        },
        stats,
        async stop() {
          endObserving?.();
          await app.close();
          await jobs?.stop();
          await inbox.stop();
          await relay.stop();
          await Promise.all(
            [revocations, contracts, ...heard].map(async (subscription) => subscription.close()),
          );
          await parts.close?.();
          await direct.close();
          await single.close();
          await database.close();
        },
      };
    },
  };
}

function remoteKeys(peers: Peers): KeySource {
  return async () => peers.call(identityRoutes.jwks, {});
}

/** A service with routes of people or players of tenants must say where their contracts come from. */
function contractReader({
  contractOf,
  routes,
}: Pick<ServiceParts<never>, 'contractOf' | 'routes'>): ReadContract {
  const dependent = routes.flatMap(({ contracts }) => contracts).find(isForTenants);
  assert(contractOf ?? !dependent, `${dependent?.id} depends on a contract that the service does not know`);
  return contractOf ?? (() => Promise.reject(new AppError('E40402')));
}

/** A service with routes that take keys of tenants must say whose they are. */
function noTenantKeys(): Promise<never> {
  return Promise.reject(new Error('The service does not know keys of tenants'));
}

/** Of the installation's own keys, which the services alone have that have routes for their holders. */
function checkOfApiKey(routes: readonly Implementation[], env: Environment): Authority['isApiKey'] {
  if (!routes.some(({ contracts }) => contracts.some((contract) => admits(contract, 'apiKey')))) {
    return () => false;
  }
  const apiKey = apiKeyIn(env);
  assert(apiKey !== undefined, 'API_KEY is required');
  return apiKeyCheck({ apiKey, signUpKey: signUpKeyIn(env) });
}

/** A service with routes of administrators to a partner must say where its unit comes from. */
function noUnit(): Promise<never> {
  return Promise.reject(new Error('The service does not know units'));
}

const noPartnerRows = { deleted: [] };

/** The kit's own tables are not of any tenant. */
function unscoped<Db extends SqlExecutor>(database: Database<Db>): SqlExecutor {
  const scope = systemScope('the answers to repeated calls');
  return {
    $executeRawUnsafe: async (sql, ...params) =>
      database.transaction(scope, async (db) => db.$executeRawUnsafe(sql, ...params)),
    $queryRawUnsafe: async (sql, ...params) =>
      database.transaction(scope, async (db) => db.$queryRawUnsafe(sql, ...params)),
  };
}
