import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { type ContractRank, identityRoutes, type ServiceName } from '@portal/contracts';
import { createDatabase, type Database, enterScope, withClient } from '@portal/database';
import type { Clock, Logger } from '@portal/kernel';
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
import { createInternalTokens, createInternalVerifier, type InternalKeys } from './auth/internal-tokens.ts';
import { followRevocations, type ReadRevocations, revocationsOf } from './auth/revocations.ts';
import { createTokenVerifier, type KeySource } from './auth/tokens.ts';
import { settleDemo } from './demo.ts';
import { type Environment, givenIn } from './environment.ts';
import { serveHealth } from './http/health.ts';
import { createIdempotentReplies } from './http/idempotency.ts';
import type { Implementation } from './http/implement.ts';
import { createOperationLog } from './http/operation-log.ts';
import { buildServer } from './http/server.ts';
import { type Job, type RunningJobs, startJobs } from './jobs.ts';
import { createPeers, type Peers, type PeerTransport } from './peers.ts';
import { createSeals, type Seals } from './seals.ts';
import { createStore, everything, type Store } from './store.ts';
import type { EventHandler } from './subscriptions.ts';
import { observeService } from './telemetry/gauges.ts';
import type { TelemetrySource } from './telemetry/telemetry.ts';

/** What the host gives a service. The service never knows which engines stand behind it. */
export interface Infrastructure {
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
  prepareDatabase(service: ServiceName, migrations: readonly string[]): Promise<string>;
}

export interface ServiceContext<Db, Config> {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: Store<Db>;
  /** Throws unless the service declares `usesStorage`. */
  readonly storage: ObjectStorage;
  readonly peers: Peers;
  readonly seals: Seals;
  /** For the rare need of a connection of one's own, such as LISTEN. */
  readonly databaseUrl: string;
  /** Resolves when every urgent event that is committed by now has left; for changes that must be felt before the answer. */
  published(): Promise<void>;
  /** Hears of every event of a type from now on, in every instance, without a memory. */
  hear<D>(event: EventDefinition<D>, onData: (data: D) => void): Promise<void>;
}

/** What makes up a service: all that comes in, and what it does by itself. */
export interface ServiceParts<Db> {
  readonly routes: readonly Implementation[];
  readonly subscriptions?: readonly EventHandler<Db>[];
  readonly jobs?: readonly Job[];
  /** The contract rank of a partner, for routes whose contract API decides. */
  readonly rankOf?: (partnerId: number) => Promise<ContractRank>;
  /** Where the token keys come from, if not from the identity service. */
  readonly keySource?: KeySource;
  /** Ended sessions, if not read from the identity service. */
  readonly readRevocations?: ReadRevocations;
  /** Fills in the demo data, once: a second call changes nothing. It may wait for other services. */
  readonly seed?: () => Promise<void>;
  /** Ends what `create` began besides, such as a connection of its own; after requests and jobs, before the database. */
  readonly close?: () => Promise<void>;
}

export interface ServiceDefinition {
  readonly name: ServiceName;
  /** It keeps objects; other services are given no store. */
  readonly usesStorage: boolean;
  /** It gives out addresses of objects, and so has the secret that signs them. */
  readonly signsAddresses: boolean;
  /** The folders with the migrations of its database. */
  readonly migrations: readonly string[];
  /** What is wrong with the settings of this service; empty when it can start. */
  checkSettings(env: Infrastructure['env']): readonly string[];
  start(infrastructure: Infrastructure): Promise<RunningService>;
}

export interface RunningService {
  readonly name: ServiceName;
  /** Answers the service's routes; it does not listen by itself. */
  readonly app: FastifyInstance;
  /** Rejects with the reason while the service cannot do its work. */
  ready(): Promise<void>;
  /**
   * Begins to send events and to run jobs. A host that runs several services calls it when all have started: an event
   * must not leave before everyone who wants it listens.
   */
  work(): void;
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
const publishWithinMs = 2_000;
const kitMigrations = fileURLToPath(new URL('../migrations', import.meta.url));

/**
 * Declares a service. `create` is its composition root: it wires use cases by hand and returns everything that comes in.
 * `directory` holds the service's `prisma/migrations`.
 */
export function defineService<Db extends SqlExecutor, Config>(definition: {
  readonly name: ServiceName;
  readonly usesStorage?: boolean;
  readonly signsAddresses?: boolean;
  readonly config: z.ZodType<Config>;
  readonly directory: URL;
  /** The class that Prisma generated for the service. */
  readonly prismaClient: Parameters<typeof createDatabase<Db>>[0]['PrismaClient'];
  /** A query that finds a row where the demo is filled in. */
  readonly demoRows?: string;
  create(context: ServiceContext<Db, Config>): ServiceParts<Db> | Promise<ServiceParts<Db>>;
}): ServiceDefinition {
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
      await settleDemo(database, { url, demo: env['DEMO'] === '1', demoRows: definition.demoRows }).catch(
        async (error: unknown) => {
          await database.close();
          throw error;
        },
      );
      const store = createStore({ database, source: name, clock });
      const ofSystem = {
        connectionString: url,
        onConnect: (client: ClientBase) => enterScope(client, url, everything),
      };
      const relay = createRelay({ ...ofSystem, bus, clock, logger, tracer });
      const peers = createPeers({ transport, tokenFor: createInternalTokens(name, internalKeys) });

      const heard: BusSubscription[] = [];
      const parts = await definition.create({
        config: schema.parse(givenIn(env)),
        clock,
        logger,
        store,
        get storage() {
          assert(
            definition.usesStorage && infrastructure.storage,
            `${name} does not declare that it uses storage`,
          );
          return infrastructure.storage;
        },
        peers,
        seals: createSeals(internalKeys),
        databaseUrl: url,
        async hear(event, onData) {
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

      let jobs: RunningJobs | undefined;
      const inbox = createInbox<Db>({
        ...ofSystem,
        service: name,
        subscriptions: (parts.subscriptions ?? []).map((handler) =>
          handler.subscription({ source: name, clock }),
        ),
        async runInTransaction(work, eventTypes) {
          const result = await database.transaction(everything, work);
          for (const { event, wakes } of parts.subscriptions ?? []) {
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
      const tokens = createTokenVerifier({
        keys: parts.keySource ?? remoteKeys(peers),
        revocations,
        clock,
      });
      const idempotentReplies = createIdempotentReplies({ sql: unscoped(database), clock });
      const app = buildServer({
        implementations: parts.routes,
        authority: {
          verifyUser: (token) => tokens.verify(token),
          verifyService: createInternalVerifier(name, internalKeys),
          rankOf: parts.rankOf ?? noRank,
        },
        operationLog: createOperationLog({
          source: name,
          clock,
          append: async (events) =>
            database.transaction(everything, async (db) => appendToOutbox(db, ...events)),
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
              { name: 'purge-idempotent-replies', everyMs: hour, run: async () => idempotentReplies.purge() },
            ],
            logger,
          );
        },
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
          await Promise.all([revocations, ...heard].map(async (subscription) => subscription.close()));
          await parts.close?.();
          await database.close();
        },
      };
    },
  };
}

function remoteKeys(peers: Peers): KeySource {
  return async () => peers.call(identityRoutes.jwks, {});
}

/** A service with routes that depend on the contract must say where the rank comes from. */
function noRank(): Promise<never> {
  return Promise.reject(new Error('The service does not know contract ranks'));
}

/** The kit's own tables are not of any tenant. */
function unscoped<Db extends SqlExecutor>(database: Database<Db>): SqlExecutor {
  return {
    $executeRawUnsafe: async (sql, ...params) =>
      database.transaction(everything, async (db) => db.$executeRawUnsafe(sql, ...params)),
    $queryRawUnsafe: async (sql, ...params) =>
      database.transaction(everything, async (db) => db.$queryRawUnsafe(sql, ...params)),
  };
}
