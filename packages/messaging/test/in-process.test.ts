import { createLogger } from '@portal/kernel';
import { afterAll, beforeAll } from 'vitest';
import { eventBusContract } from '../src/contract-suite.ts';
import { createInProcessEventBus } from '../src/index.ts';
import { startPostgres } from './postgres.ts';

let postgres: ReturnType<typeof startPostgres>;
beforeAll(() => {
  postgres = startPostgres();
}, 60_000);
afterAll(() => postgres.stop());

eventBusContract('in process', async () => {
  const bus = createInProcessEventBus({
    logger: createLogger({ level: 'silent' }),
    retry: { firstMs: 5, longestMs: 40 },
  });
  return {
    connect: async () => bus,
    createDatabase: () => postgres.createDatabase(),
    close: () => bus.close(),
  };
});
