import { type Clock, type Logger, newId, slices } from '@portal/kernel';
import { createEvent, type EventBus } from '@portal/messaging';
import { z } from 'zod';
import { repeatStreamsMs } from './open-streams.ts';
import { type Counts, countNames } from './rate-limits.ts';

/** Only between gateways: not an event of the product and not in an outbox, because only running gateways need it. */
const spent = {
  type: 'gateway.spent',
  topic: 'portal.gateway',
  data: z.object({
    gateway: z.string(),
    spent: z.array(
      z.object({
        budget: z.enum(countNames),
        key: z.string().max(100),
        count: z.number().int().min(1).max(1_000_000),
      }),
    ),
    /** Sessions with streams of events, and how many are open at this gateway now. */
    streams: z
      .array(z.object({ sessionId: z.string().max(100), count: z.number().int().min(0).max(100) }))
      .default([]),
  }),
} as const;

const everyMs = 1_000;
/** The number of sessions in one message. */
const longestList = 1_000;

/** Gateways tell each other once a second who has spent a notable part of a budget with them, and which streams are open. */
export async function shareCounts(options: {
  counts: Counts;
  bus: EventBus;
  clock: Clock;
  logger: Logger;
}): Promise<{ close(): Promise<void> }> {
  const { bus, clock, logger } = options;
  const { budgets, streams } = options.counts;
  const gateway = newId();
  let telling: Promise<void> | undefined;
  let repeatedAt = performance.now();

  const subscription = await bus.broadcast({
    topics: [spent.topic],
    onEvent(envelope) {
      if (envelope.type !== spent.type) return;
      const told = spent.data.parse(envelope.data);
      if (told.gateway === gateway) return;
      for (const { budget, ...spending } of told.spent) budgets[budget].learn(spending);
      for (const count of told.streams) streams.learn(told.gateway, count);
    },
  });

  async function publish(data: z.input<typeof spent.data>): Promise<void> {
    const { envelope, key, topic } = createEvent(
      spent,
      { subject: gateway, partnerId: null, data: spent.data.parse(data) },
      { source: 'gateway', clock },
    );
    await bus.publish(topic, [{ key, envelope }]);
  }

  async function tellSpendings(): Promise<void> {
    const news = countNames.map((budget) => ({ budget, spendings: budgets[budget].untold() }));
    const all = news.flatMap(({ budget, spendings }) =>
      spendings.map((spending) => ({ budget, ...spending })),
    );
    if (all.length === 0) return;
    try {
      await publish({ gateway, spent: all });
    } catch (error) {
      for (const budget of countNames) budgets[budget].forgetUntold();
      throw error;
    }
    for (const { budget, spendings } of news) budgets[budget].told(spendings);
  }

  /** What cannot be told is told with the next repetition. */
  async function tellStreams(): Promise<void> {
    const repeats = performance.now() - repeatedAt >= repeatStreamsMs;
    if (repeats) repeatedAt = performance.now();
    const open = streams.untold(repeats);
    for (const some of slices(open, longestList)) await publish({ gateway, spent: [], streams: some });
  }

  async function tell(): Promise<void> {
    try {
      await tellSpendings();
    } finally {
      await tellStreams();
    }
  }

  const timer = setInterval(() => {
    telling ??= tell()
      .catch((error: unknown) => logger.warn({ err: error }, 'Other gateways are not told who comes often'))
      .finally(() => {
        telling = undefined;
      });
  }, everyMs);
  timer.unref();

  return {
    async close() {
      clearInterval(timer);
      await telling;
      await subscription.close();
    },
  };
}
