import { join } from 'node:path';
import { createLogger } from '@portal/kernel';
import { testDatabase } from '@portal/testing';
import { createDatabase, type Database, type Scope } from '../src/index.ts';
import { type Prisma, PrismaClient } from './fixture-service/src/data/generated/client.ts';

export const fixtureDir = join(import.meta.dirname, 'fixture-service');

export const partner = (partnerId: number): Scope => ({ kind: 'partner', partnerId });
export const unit = (unitId: number): Scope => ({ kind: 'unit', unitId });
export const system: Scope = { kind: 'system', why: 'test' };

export type Tx = Prisma.TransactionClient;

/** A migrated database of the fixture service; `open` connects to any URL as the service does. */
export async function fixtureDatabase() {
  const urls = await testDatabase({
    service: 'fixture',
    directories: [join(fixtureDir, 'prisma', 'migrations')],
  });
  const open = (url: string): Database<Tx> =>
    createDatabase<Tx>({ url, poolSize: 5, PrismaClient, logger: createLogger({ level: 'silent' }) });
  const database = open(urls.url);
  return {
    ...urls,
    open,
    database,
    close: async () => {
      await database.close();
      await urls.drop();
    },
  };
}
