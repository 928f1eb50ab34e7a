import { parseArgs } from 'node:util';
import { serviceNames } from '../packages/contracts/src/index.ts';
import { withClient } from '../packages/database/src/index.ts';
import { createLogger, systemClock } from '../packages/kernel/src/index.ts';
import {
  createDeadLetters,
  type DeadLetter,
  type DeadLetters,
  type HandlerStats,
  type OutboxStats,
  pgExecutor,
  readInboxStats,
  readOutboxStats,
  type SqlExecutor,
} from '../packages/messaging/src/index.ts';
import {
  createKafkaEventBus,
  type KafkaConnection,
} from '../packages/messaging/src/kafka/kafka-event-bus.ts';
import { findInstallation, type Installation } from './installation.ts';
import { allSubscriptions, type ServiceSubscription } from './subscriptions.ts';
import { table } from './table.ts';

/** What operators look up and do about events, on the databases of a portal in either host. */

const usage = `npm run events -- <command> [options]

  lag                          how far each service is behind: its outbox, its handlers and, with Kafka, its topics
  dead-letters                 the events that handlers gave up on
  replay <event id>            gives an event that is dead all its tries again, in every handler that gave it up
  replay --handler <name>      the same for all events that a handler gave up on

  --service NAME   of this service alone
  --handler NAME   of this handler alone, as in file.keep-groups
  --json           for programs

The portal is found by DATABASE_URL and KAFKA_BROKERS, else by DATA_DIR (.data by default).
Exit code: 0 done, 1 failed or nothing to replay, 2 not understood.`;

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const listed = 100;
const maxErrorLength = 300;
const clock = systemClock();

const { positionals, values: options } = readArguments();
const [command, eventId] = positionals;
try {
  const subscriptions = await allSubscriptions();
  const installation = await findInstallation(process.env);
  if (command === 'lag') await lag(installation, subscriptions);
  else if (command === 'dead-letters') await deadLetters(installation);
  else await replay(installation);
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}

function readArguments() {
  try {
    const parsed = parseArgs({
      allowPositionals: true,
      options: {
        service: { type: 'string' },
        handler: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const { positionals: words, values } = parsed;
    if (values.help) end(0);
    const problem = problemOf(words, values.handler);
    if (problem) end(2, problem);
    return parsed;
  } catch (error) {
    return end(2, messageOf(error));
  }
}

function problemOf([name, id, ...more]: readonly string[], handler: string | undefined): string | undefined {
  if (name === undefined) return 'Which command?';
  if (!['lag', 'dead-letters', 'replay'].includes(name)) return `Unknown command: ${name}`;
  if (more.length > 0 || (name !== 'replay' && id !== undefined)) return 'Too many arguments';
  if (name === 'lag' && handler !== undefined) return 'lag takes no --handler';
  if (name !== 'replay') return undefined;
  if ((id === undefined) === (handler === undefined)) return 'replay takes an event id or --handler';
  return id === undefined || uuid.test(id) ? undefined : `Not the id of an event: ${id}`;
}

function end(code: number, problem?: string): never {
  if (problem) console.error(`${problem}\n`);
  console.error(usage);
  process.exit(code);
}

async function lag(installation: Installation, subscriptions: readonly ServiceSubscription[]): Promise<void> {
  const services = await ofEachService(installation, async (service, database) => {
    const own = subscriptions.filter((subscription) => subscription.service === service);
    return {
      service,
      outbox: await readOutboxStats(database, clock),
      handlers: await readInboxStats(
        database,
        clock,
        own.map(({ handler }) => handler),
      ),
    };
  });
  const names = new Set(services.map(({ service }) => service));
  const { kafka } = installation;
  const topics = kafka && topicsOf(subscriptions.filter(({ service }) => names.has(service)));
  // The databases are told of also while Kafka is away, which is when one asks.
  const behind = topics && (await kafkaLag(kafka, topics).catch((error: unknown) => messageOf(error)));

  if (options.json) {
    print({ services, ...(typeof behind === 'object' && { topics: behind }) });
  } else {
    console.log(table(['service', 'outbox', 'oldest'], services.map(outboxLine)));
    console.log(
      table(
        ['handler', 'live', 'dead', 'oldest'],
        services.flatMap(({ handlers }) => Object.entries(handlers).map(handlerLine)),
      ),
    );
    if (typeof behind === 'object') console.log(table(['group', 'topic', 'behind'], topicLines(behind)));
  }
  if (typeof behind === 'string') {
    throw new Error(`The lag of the topics is unknown, Kafka at ${kafka?.brokers.join(', ')}: ${behind}`);
  }
}

function outboxLine({ outbox, service }: { service: string; outbox: OutboxStats }) {
  return [service, outbox.depth, age(outbox.oldestAgeMs)];
}

function handlerLine([handler, { dead, live, oldestAgeMs }]: readonly [string, HandlerStats]) {
  return [handler, live, dead, age(oldestAgeMs)];
}

function topicLines(lags: Readonly<Record<string, Readonly<Record<string, number>>>>) {
  return Object.entries(lags).flatMap(([group, ofGroup]) =>
    Object.entries(ofGroup).map(([topic, messages]) => [group, topic, messages]),
  );
}

function topicsOf(subscriptions: readonly ServiceSubscription[]): ReadonlyMap<string, readonly string[]> {
  const byService = Map.groupBy(subscriptions, ({ service }) => service);
  return new Map(
    [...byService].map(([service, own]) => [service, [...new Set(own.map(({ event }) => event.topic))]]),
  );
}

async function kafkaLag(
  kafka: KafkaConnection,
  topics: ReadonlyMap<string, readonly string[]>,
): Promise<Readonly<Record<string, Readonly<Record<string, number>>>>> {
  const logger = createLogger({ level: 'silent' });
  const bus = createKafkaEventBus({ ...kafka, service: 'events-command', logger });
  try {
    const lags: [string, Readonly<Record<string, number>>][] = [];
    for (const [group, ofGroup] of topics) lags.push([group, await bus.lag(group, ofGroup)]);
    return Object.fromEntries(lags);
  } finally {
    await bus.close();
  }
}

async function deadLetters(installation: Installation): Promise<void> {
  const { handler } = options;
  const perService = await ofEachService(installation, async (_, database) =>
    lettersOf(database).list({ limit: listed, ...(handler !== undefined && { handler }) }),
  );
  const letters = perService.flat();
  if (options.json) print(letters.map(summaryOf));
  else if (letters.length === 0) console.log('No dead letters');
  else {
    for (const letter of letters) {
      const { attempts, diedAt, error, event, eventId, handler: by, partner, subject } = summaryOf(letter);
      console.log(
        `${eventId}  ${event} of ${subject}, partner ${partner ?? '-'}\n` +
          `  ${by} gave up at ${diedAt} after ${attempts} tries: ${error}`,
      );
    }
  }
  if (perService.some((ofService) => ofService.length === listed)) {
    console.error(`No more than the ${listed} oldest of a service are shown`);
  }
}

/** Without the data of the event, which may tell of people. */
function summaryOf({ attempts, diedAt, error, event, handler }: DeadLetter) {
  return {
    eventId: event.id,
    event: event.type,
    subject: event.subject,
    partner: event.partnerid,
    time: event.time,
    handler,
    attempts,
    diedAt: diedAt.toISOString(),
    error: withoutStack(error),
  };
}

function withoutStack(error: string): string {
  const [message = ''] = error.split(/\n[^\S\n]+at /, 1);
  const line = message.replaceAll(/\s+/g, ' ').trim();
  return line.length > maxErrorLength ? `${line.slice(0, maxErrorLength)} …` : line;
}

async function replay(installation: Installation): Promise<void> {
  const { handler, json } = options;
  const which = handler === undefined ? { eventId: eventId ?? '' } : { handler };
  const counts = await ofEachService(installation, async (_, database) => lettersOf(database).replay(which));
  const replayed = counts.reduce((sum, count) => sum + count, 0);
  if (json) print({ replayed });
  else console.log(`Replayed: ${replayed}`);
  if (replayed === 0) throw new Error(`There is no dead letter of ${handler ?? `the event ${eventId}`}`);
}

function lettersOf(database: SqlExecutor): DeadLetters {
  return createDeadLetters(database, clock);
}

/** Runs `work` on the database of each service that has one on the server, or of the one that was asked for. */
async function ofEachService<T>(
  { adminUrl }: Installation,
  work: (service: string, database: SqlExecutor) => Promise<T>,
): Promise<readonly T[]> {
  const found = await withClient(adminUrl, async (admin) => {
    const { rows } = await admin.query<{ datname: string }>('SELECT datname FROM pg_database');
    const databases = new Set(rows.map(({ datname }) => datname));
    return serviceNames.filter((service) => databases.has(`portal_${service}`));
  }).catch((error: unknown) => {
    throw new Error(`PostgreSQL at ${new URL(adminUrl).host} cannot be asked: ${messageOf(error)}`);
  });
  const services = found.filter((service) => options.service === undefined || service === options.service);
  if (services.length === 0) {
    throw new Error(
      options.service === undefined
        ? `PostgreSQL at ${new URL(adminUrl).host} has no database of the portal`
        : `The service ${options.service} has no database: one of ${found.join(', ')}`,
    );
  }
  const results: T[] = [];
  for (const service of services) {
    const url = new URL(adminUrl);
    url.pathname = `/portal_${service}`;
    results.push(
      await withClient(url.href, async (client) => {
        // Whoever may act for the owner need not sign it.
        await client.query(`SET app.scope = 'system'`);
        return work(service, pgExecutor(client));
      }),
    );
  }
  return results;
}

/** In the largest unit that it fills. */
function age(ms: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
  ] as const;
  const [unit, length] = units.find((candidate) => ms >= candidate[1]) ?? ['s', 1_000];
  return ms === 0 ? '-' : `${(ms / length).toFixed(1)} ${unit}`;
}

function print(value: unknown): void {
  console.log(JSON.stringify(value, null, 2));
}

function messageOf(error: unknown): string {
  // A refused connection on several addresses has its words in the single errors.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
