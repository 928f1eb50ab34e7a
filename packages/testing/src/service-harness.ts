import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type BytesToSend,
  type EventDefinition as ContractEvent,
  identityEvents,
  identityRoutes,
  isVerbatim,
  type Method,
  mailEvents,
  mediaOf,
  type RouteContract,
  type RouteReply,
  type RouteRequest,
  type ServiceName,
  serviceNames,
  snakeKey,
  tenantEvents,
  topics,
  userEvents,
  userRoleBits,
} from '@portal/contracts';
import { allEvents } from '@portal/contracts/catalogue';
import { listRevocations, type MailContent } from '@portal/contracts/internal';
import { createDatabase, type Database, type Executor } from '@portal/database';
import { createLogger, manualClock, newId } from '@portal/kernel';
import { openMail } from '@portal/mail-requests';
import {
  createEvent,
  createInProcessEventBus,
  type EventDefinition,
  type EventEnvelope,
} from '@portal/messaging';
import {
  createInternalTokens,
  createSeals,
  type Implementation,
  type Infrastructure,
  type RunningService,
  type Seals,
  type ServiceDefinition,
  tokenAlgorithm,
  tokenIssuer,
} from '@portal/service-kit';
import { internalKeysOf, publicKeyOf } from '@portal/service-kit/host';
import { createLocalDiskStorage, createUrlSigner, type ObjectStorage, type UrlSigner } from '@portal/storage';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import pg from 'pg';
import { vi } from 'vitest';
import { camelNames, snakeNames } from './names.ts';
import { testDatabase } from './postgres.ts';

/** Who makes a call in a test; it becomes a real signed token. */
export type Actor =
  | { readonly kind: 'admin'; readonly id: number; readonly role: number; readonly unitId: number | null }
  | {
      readonly kind: 'tenant';
      readonly id: number;
      readonly partnerId: number;
      readonly role: number;
      readonly client: 'portal' | 'player';
      readonly platformUuid: string | null;
    };

export const adminActor = (
  options: { adminId?: number; role?: number; unitId?: number | null } = {},
): Actor => ({
  kind: 'admin',
  id: options.adminId ?? 1,
  role: options.role ?? 127,
  unitId: options.unitId ?? null,
});

/** Somebody in the portal of a tenant; a company admin unless `role` says otherwise. */
export const partnerActor = (
  options: { partnerId?: number; accountId?: number; role?: number } = {},
): Actor => ({
  kind: 'tenant',
  id: options.accountId ?? 1,
  partnerId: options.partnerId ?? 1,
  role: options.role ?? userRoleBits.admin,
  client: 'portal',
  platformUuid: null,
});

export const playerActor = (options: {
  partnerId?: number;
  accountId: number;
  role?: number;
  platformUuid?: string;
}): Actor => ({
  kind: 'tenant',
  id: options.accountId,
  partnerId: options.partnerId ?? 1,
  role: options.role ?? 0,
  client: 'player',
  platformUuid: options.platformUuid ?? 'device-1',
});

export interface TestReply<B> {
  readonly status: number;
  /** In camelCase; of an error `{ code, message, errors, requestId }`. */
  readonly body: B;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** What the body of a refusal holds. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly errors: readonly { readonly field: string; readonly message: string }[];
}

type TestRequest<C extends RouteContract> = Partial<RouteRequest<C>> & {
  readonly headers?: Readonly<Record<string, string>>;
};

export interface ServiceHarness {
  readonly clock: ReturnType<typeof manualClock>;
  readonly storage: ObjectStorage;
  readonly signer: UrlSigner;
  /** Those of a service, to seal and open in its place. */
  sealsOf(service: ServiceName): Seals;
  readonly service: RunningService;
  /** Calls a route as it is called over HTTP. The body is the reply's, or a refusal's: check the status first. */
  call<C extends RouteContract>(
    contract: C,
    request?: TestRequest<C>,
    actor?: Actor,
  ): Promise<TestReply<RouteReply<C>>>;
  /** The same for a call that is expected to be refused. */
  refused<C extends RouteContract>(
    contract: C,
    request?: TestRequest<C>,
    actor?: Actor,
  ): Promise<TestReply<Refusal>>;
  /** Calls an internal route as service `caller`. */
  callAs<C extends RouteContract>(
    caller: string,
    contract: C,
    request?: TestRequest<C>,
  ): Promise<TestReply<RouteReply<C>>>;
  /** For input that no contract would let through. */
  raw(request: {
    method: Method;
    url: string;
    headers?: Record<string, string>;
    payload?: string;
    actor?: Actor;
  }): Promise<TestReply<Refusal>>;
  token(actor: Actor): Promise<string>;
  /** Publishes an event as another service would, and waits until this service has handled it. */
  deliver<D>(
    definition: EventDefinition<D>,
    /** `times`: how often the bus brings this one event. */
    event: { subject: number | string; partnerId: number | null; data: D; times?: number },
  ): Promise<void>;
  /** Resolves when this service has handled what it has told itself, and has told all that follows from it. */
  settled(): Promise<void>;
  /** Runs every job of the service once, now, and waits for their ends: nobody waits for an interval. */
  runJobs(): Promise<void>;
  /** For a poll on what jobs do: each look has them run once before. */
  afterJobs<T>(look: () => Promise<T>): () => Promise<T>;
  /** What this service has published so far, in order; all that is committed by now is in it. */
  events(type?: string): Promise<EventEnvelope[]>;
  /** The mails that it has asked for so far, in order, and whether they are sent behind those that somebody waits for. */
  mails(): Promise<
    { readonly partnerId: number | null; readonly inBulk: boolean; readonly content: MailContent }[]
  >;
  /** Runs SQL past row-level security, as the owner of the database. */
  sql<T extends object = Record<string, unknown>>(text: string, ...params: unknown[]): Promise<T[]>;
  /** The address of the service's own login role, which row-level security binds. */
  readonly databaseUrl: string;
  /** The service's database as its own role reaches it, for what no route shows; closed at the stop. */
  openDatabase<Tx extends Executor>(PrismaClient: PrismaClientOf<Tx>): Database<Tx>;
  stop(): Promise<void>;
}

type PrismaClientOf<Tx extends Executor> = Parameters<typeof createDatabase<Tx>>[0]['PrismaClient'];

/** The installation's own key in tests of a service. */
export const testApiKey = 'the-api-key-of-tests';

const settleWithinMs = 15_000;

/**
 * Starts one service as its host would: on a fresh PostgreSQL database, the local disk and the in-process bus, with a
 * clock that the test moves. `peers` answer what the service asks of others.
 */
export async function startServiceHarness<Name extends string>(
  definition: ServiceDefinition<Name>,
  options: {
    env?: Record<string, string>;
    peers?: readonly Implementation[];
    /** The user service is away: nobody answers whether fewer licences are enough. */
    leavesHoldsUnanswered?: boolean;
    /** What it tells of beside the events of the product. */
    ownEvents?: readonly ContractEvent[];
    start?: Date;
    /** Gets every line of the log. */
    log?: { write(line: string): void };
  } = {},
): Promise<ServiceHarness> {
  const clock = manualClock(options.start ?? new Date('2026-11-21T09:00:00Z'));
  const logger = options.log
    ? createLogger({ level: 'trace' }, options.log)
    : createLogger({ level: process.env.TEST_LOG_LEVEL ?? 'fatal' });
  const directory = await mkdtemp(join(tmpdir(), `portal-${definition.name}-`));
  const signer = createUrlSigner({ publicUrl: 'http://portal.test', secret: randomBytes(32), clock });
  const storage = await createLocalDiskStorage({ directory, clock, signer });
  const bus = createInProcessEventBus({ logger });
  const keysOf = internalKeysOfEach([...serviceNames, definition.name]);
  const ownEvents = options.ownEvents ?? [];
  const tokenKeys = await generateKeyPair('EdDSA', { extractable: true });
  const publicJwk = {
    ...(await exportJWK(tokenKeys.publicKey)),
    kid: 'test',
    alg: tokenAlgorithm,
    use: 'sig',
  };

  const published: EventEnvelope[] = [];
  await bus.broadcast({
    topics: [...new Set([...topics, ...ownEvents.map(({ topic }) => topic)])],
    onEvent: (envelope) => {
      if (envelope.source === definition.name) published.push(envelope);
    },
  });
  // As the identity service does, which somebody may wait for.
  await bus.broadcast({
    topics: [userEvents.userSignedOut.topic],
    onEvent({ id, source, type }) {
      if (source !== 'user' || type !== userEvents.userSignedOut.type) return;
      const data = { settlementId: newId(), eventIds: [id] };
      const { signOutsSettled } = identityEvents;
      const event = { subject: data.settlementId, partnerId: null, data };
      const { envelope, key, topic } = createEvent(signOutsSettled, event, { source: 'identity', clock });
      void bus.publish(topic, [{ key, envelope }]);
    },
  });

  // As the user service does where nothing is in use.
  await bus.broadcast({
    topics: [tenantEvents.licenceHoldAsked.topic],
    onEvent({ data: asked, source, type }) {
      if (options.leavesHoldsUnanswered) return;
      if (source !== 'tenant' || type !== tenantEvents.licenceHoldAsked.type) return;
      const { holdId, partnerId } = tenantEvents.licenceHoldAsked.data.parse(asked);
      const { licenceHoldAnswered } = userEvents;
      const data = { partnerId, holdId, held: true, inUse: 0 };
      const event = { subject: String(partnerId), partnerId, data };
      const { envelope, key, topic } = createEvent(licenceHoldAnswered, event, { source: 'user', clock });
      void bus.publish(topic, [{ key, envelope }]);
    },
  });

  const database: { ownerUrl: string; url: string; drop(): Promise<void> }[] = [];
  const infrastructure: Infrastructure<Name> = {
    env: {
      DEMO: '0',
      API_KEY: testApiKey,
      KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      ...options.env,
    },
    clock,
    logger,
    bus,
    storage,
    internalKeys: keysOf(definition.name),
    transport: { request: async (service, request) => answerAsPeer(service, request) },
    async prepareDatabase(service, directories) {
      const made = await testDatabase({ service, directories });
      database.push(made);
      return made.url;
    },
  };

  async function answerAsPeer(
    service: string,
    request: { method: string; url: string; body: string | undefined },
  ): Promise<{ status: number; body: string }> {
    const reply = (status: number, body: unknown) => ({ status, body: JSON.stringify(snakeNames(body)) });
    if (request.url === identityRoutes.jwks.path) return reply(200, { keys: [publicJwk] });
    const peer = [...(options.peers ?? []), noRevocations]
      .flatMap(({ contracts, handle }) => contracts.map((contract) => ({ contract, handle })))
      .find(
        ({ contract }) =>
          contract.service === service &&
          contract.method === request.method &&
          pathPattern(contract.path).test(request.url),
      );
    if (!peer) return reply(404, { code: 'E40401', message: '', errors: [] });
    try {
      const { contract } = peer;
      const match = pathPattern(contract.path).exec(request.url);
      const answer = await peer.handle(
        {
          params: contract.params.parse(match?.groups ?? {}),
          query: {},
          body: contract.body?.parse(camelNames(JSON.parse(request.body ?? '{}'))) as undefined,
        },
        {
          caller: undefined as never,
          scope: undefined,
          systemScope: undefined,
          requestId: newId(),
          language: 'ja',
          agent: '',
          clientAgent: undefined,
          lastEventId: undefined,
          rawQuery: '',
          conditional: false,
          checkVersion: () => {},
          concerns: () => {},
          signedIn: () => {},
          address: '127.0.0.1',
          wantsPage: false,
        },
      );
      return reply(contract.status, answer);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : 'E50001';
      const fields = error instanceof Error && 'fields' in error ? error.fields : [];
      const errors = Array.isArray(fields)
        ? fields.map((field: { field: string; message: string }) => ({ ...field, key: field.message }))
        : [];
      return reply(400, { code, message: '', errors });
    }
  }

  const service = await definition.start(infrastructure);
  service.work();
  // The relay connects by itself.
  await vi.waitFor(async () => service.stats(), settleWithinMs);
  const [made] = database;
  if (!made) throw new Error(`${definition.name} asked for no database`);
  // The policies bind the owner too; the scope lets it see the rows of every tenant.
  const owner = new pg.Pool({
    connectionString: made.ownerUrl,
    max: 2,
    options: '-c app.scope=system',
  });
  const tokenOf = internalTokensBy(keysOf);

  async function token(actor: Actor): Promise<string> {
    const shared = { sid: newId(), role: actor.role };
    const claims =
      actor.kind === 'admin'
        ? { ...shared, unit: actor.unitId }
        : { ...shared, partner: actor.partnerId, client: actor.client, platform: actor.platformUuid };
    return new SignJWT(claims)
      .setProtectedHeader({ alg: tokenAlgorithm, kid: 'test' })
      .setIssuer(tokenIssuer)
      .setAudience(actor.kind)
      .setSubject(String(actor.id))
      .setIssuedAt(clock.now())
      .setExpirationTime(new Date(clock.now().getTime() + 3_600_000))
      .sign(tokenKeys.privateKey);
  }

  async function send(request: {
    method: Method;
    url: string;
    headers?: Readonly<Record<string, string>> | undefined;
    payload?: string | undefined;
    bearer?: string | undefined;
    /** The names in what it answers are not ours. */
    answersVerbatim?: boolean;
  }): Promise<TestReply<never>> {
    const reply = await service.app.inject({
      method: request.method,
      url: request.url,
      headers: {
        'accept-language': 'en',
        'x-agent': 'test-player/1.0.0',
        ...(request.payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...(request.bearer ? { authorization: `Bearer ${request.bearer}` } : {}),
        ...request.headers,
      },
      ...(request.payload === undefined ? {} : { payload: request.payload }),
    });
    const isJson = /^application\/(\w+\+)?json\b/.test(String(reply.headers['content-type']));
    const isAsItIs = reply.statusCode < 400 && request.answersVerbatim;
    const value: unknown = isJson ? JSON.parse(reply.payload) : reply.payload;
    return {
      status: reply.statusCode,
      // The caller names the shape that its contract promises.
      body: (isJson && !isAsItIs ? camelNames(value) : value) as never,
      headers: reply.headers,
    };
  }

  async function callWith<C extends RouteContract>(
    contract: C,
    request: TestRequest<C>,
    bearer: string | undefined,
  ): Promise<TestReply<never>> {
    const { payload, type } = await sentBody(contract, request.body);
    return send({
      method: contract.method,
      url: urlOf(contract, request),
      headers: { ...(type && { 'content-type': type }), ...request.headers },
      payload,
      bearer,
      answersVerbatim: isVerbatim(contract.response),
    });
  }

  const call = async <C extends RouteContract>(contract: C, request: TestRequest<C> = {}, actor?: Actor) =>
    callWith(contract, request, actor && (await token(actor)));

  async function untilHandled(): Promise<void> {
    const deadline = performance.now() + settleWithinMs;
    for (;;) {
      const { handlers } = await service.stats();
      if (Object.values(handlers).every(({ live }) => live === 0)) return;
      if (performance.now() > deadline) throw new Error('The service did not handle its events in time');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async function untilPublished(): Promise<void> {
    const deadline = performance.now() + settleWithinMs;
    while ((await owner.query('SELECT 1 FROM messaging.outbox LIMIT 1')).rowCount) {
      if (performance.now() > deadline) throw new Error('The outbox was not published in time');
      // Late events as well, for which the relay would wait.
      await owner.query('NOTIFY messaging_outbox');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  const opened: { close(): Promise<void> }[] = [];

  return {
    clock,
    storage,
    signer,
    sealsOf: (name) => createSeals(keysOf(name)),
    service,
    databaseUrl: made.url,
    openDatabase(PrismaClient) {
      const logger = createLogger({ level: 'silent' });
      const database = createDatabase({ url: made.url, poolSize: 2, PrismaClient, logger });
      opened.push(database);
      return database;
    },
    call,
    refused: call,
    callAs: async (caller, contract, request = {}) =>
      callWith(contract, request, tokenOf(caller)(contract.service)),
    raw: async ({ actor, ...request }) => send({ ...request, bearer: actor && (await token(actor)) }),
    token,
    async deliver(eventDefinition, { subject, partnerId, data, times = 1 }) {
      const { envelope, key, topic } = createEvent(
        eventDefinition,
        { subject: String(subject), partnerId, data },
        { source: 'test', clock },
      );
      for (let time = 0; time < times; time += 1) {
        await bus.publish(topic, [{ key, envelope }]);
        await untilHandled();
      }
    },
    async settled() {
      await untilPublished();
      await untilHandled();
      await untilPublished();
    },
    runJobs: async () => service.runJobs(),
    afterJobs: (look) => async () => {
      await service.runJobs();
      return look();
    },
    async events(type) {
      await untilPublished();
      for (const envelope of published) assertAsDeclared(envelope, [...allEvents, ...ownEvents]);
      return published.filter((envelope) => type === undefined || envelope.type === type);
    },
    async mails() {
      await untilPublished();
      const seals = createSeals(keysOf('mail'));
      const requested = (type: string, data: unknown) => {
        if (type === mailEvents.mailRequested.type) return [mailEvents.mailRequested.data.parse(data)];
        return type === mailEvents.mailsRequested.type
          ? mailEvents.mailsRequested.data.parse(data).mails
          : [];
      };
      return published.flatMap(({ data, partnerid: partnerId, type }) =>
        requested(type, data).map((mail) => ({
          partnerId,
          inBulk: type === mailEvents.mailsRequested.type,
          content: openMail(seals, mail),
        })),
      );
    },
    sql: async <T extends object>(text: string, ...params: unknown[]) =>
      (await owner.query(text, params)).rows as T[],
    async stop() {
      for (const database of opened) await database.close();
      await service.stop();
      await bus.close();
      await owner.end();
      await made.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Holds a service to what the catalogue tells integrators of an event's key and tenant. */
function assertAsDeclared(
  { type, subject, partnerid, data }: EventEnvelope,
  events: readonly ContractEvent[],
): void {
  const declared = events.find((event) => event.type === type);
  if (!declared) throw new Error(`${type} is not in the catalogue`);
  const key = String(new Map<string, unknown>(Object.entries(Object(data))).get(declared.key));
  if (subject !== key) throw new Error(`${type} has the subject ${subject}, not its ${declared.key} ${key}`);
  const isOfTenant = partnerid !== null;
  if (declared.tenant !== 'sometimes' && isOfTenant !== (declared.tenant === 'always'))
    throw new Error(`${type} names the tenant ${partnerid}, but is declared to do so ${declared.tenant}`);
}

const noRevocations: Implementation = {
  contracts: [listRevocations],
  handle: async () => ({ sessions: [], roles: [] }),
};

const pathPattern = (path: string) => new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/?]+)')}(\\?|$)`);

/** As in an installation, where each service has its own. */
function internalKeysOfEach(
  services: readonly string[],
): (service: string) => Infrastructure['internalKeys'] {
  const seeds = new Map<string, Buffer>(services.map((name) => [name, randomBytes(32)]));
  const known = new Map([...seeds].map(([name, seed]) => [name, [publicKeyOf(seed)]]));
  return (service) => internalKeysOf(service, [seeds.get(service) ?? randomBytes(32)], known);
}

function internalTokensBy(
  keysOf: (service: string) => Infrastructure['internalKeys'],
): (caller: string) => (audience: string) => string {
  const byCaller = new Map<string, (audience: string) => string>();
  return (caller) => {
    const known = byCaller.get(caller) ?? createInternalTokens(caller, keysOf(caller));
    byCaller.set(caller, known);
    return known;
  };
}

/** A body as it is on the wire; what is streamed names its type. */
async function sentBody(
  { body: schema }: RouteContract,
  body: unknown,
): Promise<{ payload: string | undefined; type?: string }> {
  if (body === undefined) return { payload: undefined };
  if (schema && mediaOf(schema).kind === 'bytes') {
    // The type of the request says that it is.
    const { content, type } = body as BytesToSend<string>;
    return { payload: typeof content === 'string' ? content : await content.text(), type };
  }
  return { payload: JSON.stringify(schema && isVerbatim(schema) ? body : snakeNames(body)) };
}

/** The address of a call, with its parameters and query as they are on the wire. */
function urlOf(contract: RouteContract, request: { params?: unknown; query?: unknown }): string {
  const params = new Map(Object.entries(request.params ?? {}));
  const path = contract.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params.get(name))),
  );
  const query = new URLSearchParams();
  const wire = snakeNames(request.query ?? {});
  if (typeof wire === 'object' && wire !== null) {
    for (const [key, value] of Object.entries(wire))
      if (value !== undefined) query.set(key, key === 'order_key' ? snakeKey(String(value)) : String(value));
  }
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}
