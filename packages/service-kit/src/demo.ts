import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, enterScope, withClient } from '@portal/database';
import type { SqlExecutor } from '@portal/messaging';
import { systemScope } from './scopes.ts';

/** Of every account of the demo. */
export const demoPassword = 'Passw0rd-demo';
export const demoApiKey = 'demo-api-key';
export const demoSignUpKey = 'demo-signup-key';

/** What is meant for the demo was about to be used for real data, or the other way round. */
export class DemoMixedUp extends Error {
  override readonly name = 'DemoMixedUp';
}

/**
 * Settles whether the database is of a demo, which the first start on it decides, and refuses the other from then on: its
 * accounts are known to everybody. `demoRows` finds a row where a version before this one, which left no mark, filled in
 * the demo.
 */
export async function ensureDemoMode(
  database: Database<SqlExecutor>,
  options: { url: string; demo: boolean; demoRows: string | undefined },
): Promise<void> {
  const { demo, demoRows, url } = options;
  const settled = await database.transaction(markScope, async (db) => {
    const [mark] = await db.$queryRawUnsafe<{ demo: boolean }[]>(readMark);
    if (mark) return mark.demo;
    const isDemo =
      demo || (demoRows !== undefined && (await db.$queryRawUnsafe<unknown[]>(demoRows)).length > 0);
    await db.$executeRawUnsafe(
      'INSERT INTO messaging.installation (demo) VALUES ($1) ON CONFLICT DO NOTHING',
      isDemo,
    );
    const [made] = await db.$queryRawUnsafe<{ demo: boolean }[]>(readMark);
    return made?.demo ?? isDemo;
  });
  if (settled !== demo) throw new DemoMixedUp(mixedUp(url, settled));
}

/** What `ensureDemoMode` will say, as far as it can be known before anything listens: the database may be away, or empty. */
export async function demoProblems(url: string, demo: boolean): Promise<readonly string[]> {
  const reading = withClient(url, async (client) => {
    await enterScope(client, url, markScope);
    const { rows } = await client.query<{ demo: boolean }>(readMark);
    return rows[0]?.demo;
  }).catch(() => undefined);
  const settled = await Promise.race([reading, sleep(knownWithinMs, undefined, { ref: false })]);
  return settled === undefined || settled === demo ? [] : [mixedUp(url, settled)];
}

const markScope = systemScope('whether the database is of a demo');
const knownWithinMs = 2_000;
const readMark = 'SELECT demo FROM messaging.installation';

function mixedUp(url: string, isDemo: boolean): string {
  const { host, pathname } = new URL(url);
  const database = `The database ${pathname.slice(1)} at ${host}`;
  return isDemo
    ? `${database} was filled with the demo, whose passwords everybody knows: with DEMO=0 name an empty one`
    : `${database} holds real data: DEMO=1 would add accounts with passwords that everybody knows`;
}
