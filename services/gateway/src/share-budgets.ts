import { type Clock, type Logger, newId } from '@portal/kernel';
import { createEvent, type EventBus } from '@portal/messaging';
import { z } from 'zod';
import { type Budgets, budgetNames } from './rate-limits.ts';

/** Only between gateways: not an event of the product and not in an outbox, because only running gateways need it. */
const spent = {
  type: 'gateway.spent',
  topic: 'portal.gateway',
  data: z.object({
    gateway: z.string(),
    spent: z.array(
      z.object({
        budget: z.enum(budgetNames),
        key: z.string().max(100),
        count: z.number().int().min(1).max(1_000_000),
      }),
    ),
  }),
} as const;

const everyMs = 1_000;

/** Gateways tell each other once a second who has spent a notable part of a budget with them. */
export async function shareBudgets(options: {
  budgets: Budgets;
  bus: EventBus;
  clock: Clock;
  logger: Logger;
}): Promise<{ close(): Promise<void> }> {
  const { budgets, bus, clock, logger } = options;
  const gateway = newId();
  let telling: Promise<void> | undefined;

  const subscription = await bus.broadcast({
    topics: [spent.topic],
    onEvent(envelope) {
      if (envelope.type !== spent.type) return;
      const told = spent.data.parse(envelope.data);
      if (told.gateway === gateway) return;
      for (const { budget, ...spending } of told.spent) budgets[budget].learn(spending);
    },
  });

  async function tell(): Promise<void> {
    const news = budgetNames.map((budget) => ({ budget, spendings: budgets[budget].untold() }));
    const data = {
      gateway,
      spent: news.flatMap(({ budget, spendings }) => spendings.map((spending) => ({ budget, ...spending }))),
    };
    if (data.spent.length === 0) return;
    const { envelope, key, topic } = createEvent(
      spent,
      { subject: gateway, partnerId: null, data },
      { source: 'gateway', clock },
    );
    await bus.publish(topic, [{ key, envelope }]);
    for (const { budget, spendings } of news) budgets[budget].told(spendings);
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
