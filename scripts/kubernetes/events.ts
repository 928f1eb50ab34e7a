import { fileEvents, serviceNames, userEvents } from '../../packages/contracts/src/index.ts';
import { withClient } from '../../packages/database/src/index.ts';
import { createLogger } from '../../packages/kernel/src/index.ts';
import { createKafkaEventBus } from '../../packages/messaging/src/kafka/kafka-event-bus.ts';
import { until } from './cluster.ts';
import type { LoadResult } from './load.ts';

/** Follows what the services tell each other, to find what was lost. */
export interface Witness {
  /**
   * Waits until every event of what the load made has been published and has taken effect.
   * @returns how many there were
   * @throws Error with those that are missing
   */
  seenAll(load: LoadResult): Promise<number>;
  close(): Promise<void>;
}

const arriveWithinMs = 60_000;
const services = serviceNames.filter((service) => service !== 'gateway');

export async function startWitness(options: {
  brokers: readonly string[];
  adminUrl: string;
}): Promise<Witness> {
  const { adminUrl, brokers } = options;
  const uploaded = new Set<number>();
  const created = new Set<number>();
  const bus = createKafkaEventBus({ brokers, service: 'witness', logger: createLogger({ level: 'error' }) });
  await bus.broadcast({
    topics: [fileEvents.fileUploaded.topic, userEvents.groupCreated.topic],
    onEvent({ data, type }) {
      if (type === fileEvents.fileUploaded.type)
        uploaded.add(fileEvents.fileUploaded.data.parse(data).fileId);
      if (type === userEvents.groupCreated.type)
        created.add(userEvents.groupCreated.data.parse(data).groupId);
    },
  });

  const query = async <Row>(service: string, sql: string): Promise<Row[]> => {
    const url = new URL(adminUrl);
    url.pathname = `/portal_${service}`;
    return withClient(url.href, async (client) => (await client.query(sql)).rows as Row[]);
  };

  /** What is still on its way, or will never arrive. */
  async function missing({ files, groups }: LoadResult): Promise<string[]> {
    const copies = await query<{ group_id: number }>('file', 'SELECT group_id FROM groups');
    const copied = new Set(copies.map(({ group_id }) => group_id));
    const waiting = await Promise.all(
      services.map(async (service) => {
        const [row] = await query<{ outbox: string; inbox: string }>(
          service,
          `SELECT (SELECT count(*) FROM messaging.outbox) AS outbox,
                  (SELECT count(*) FROM messaging.inbox WHERE status <> 'done') AS inbox`,
        );
        return [
          ...(row && row.outbox !== '0' ? [`${row.outbox} in the outbox of ${service}`] : []),
          ...(row && row.inbox !== '0' ? [`${row.inbox} in the inbox of ${service}`] : []),
        ];
      }),
    );
    return [
      ...files.filter((id) => !uploaded.has(id)).map((id) => `file.uploaded of ${id}`),
      ...groups.filter((id) => !created.has(id)).map((id) => `group.created of ${id}`),
      ...groups.filter((id) => !copied.has(id)).map((id) => `the group ${id} in the file service`),
      ...waiting.flat(),
    ];
  }

  return {
    async seenAll(load) {
      let last: string[] = [];
      await until(
        'every event has taken effect',
        async () => {
          last = await missing(load);
          return last.length === 0;
        },
        { withinMs: arriveWithinMs },
      ).catch((error: unknown) => {
        throw new Error(`Lost, or late: ${last.slice(0, 10).join(', ')} (${last.length})`, { cause: error });
      });
      return load.files.length + load.groups.length;
    },
    close: () => bus.close(),
  };
}
