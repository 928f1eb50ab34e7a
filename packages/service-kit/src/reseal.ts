import type { Logger } from '@portal/kernel';
import type { SqlExecutor } from '@portal/messaging';
import type { Job, JobRun } from './jobs.ts';
import type { KeyCipher } from './key-cipher.ts';
import type { Store } from './store.ts';

/** A column of secrets that a `KeyCipher` has sealed. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The columns of the table's primary key, in its order, with their types. */
  readonly key: Readonly<Record<string, string>>;
  /** What a secret is sealed for, by the values of its key. */
  readonly of: (...key: string[]) => string;
}

interface Deps<Db> {
  readonly cipher: KeyCipher;
  readonly logger: Logger;
  readonly store: Store<Db>;
}

interface Sealed {
  readonly key: readonly string[];
  readonly sealed: Uint8Array;
}

const everyMs = 24 * 3_600_000;
const pageSize = 1_000;

/**
 * While there are several encryption keys, seals with the first what another has sealed: then the others can go. The log says
 * how many that were, and how many no key opens.
 */
export function resealJobs<Db extends SqlExecutor>(
  deps: Deps<Db>,
  columns: readonly SealedColumn[],
): readonly Job[] {
  const { cipher, logger } = deps;
  if (!cipher.hasFormerKeys) return [];
  return [
    {
      name: 'reseal-secrets',
      everyMs,
      async run(run) {
        let [resealed, unreadable] = [0, 0];
        for (const column of columns) {
          const counts = await reseal(deps, column, run);
          resealed += counts.resealed;
          unreadable += counts.unreadable;
        }
        if (run.stopping.aborted) return;
        logger.info({ resealed, unreadable }, 'Secrets are sealed with the first key of KEY_ENCRYPTION_KEY');
      },
    },
  ];
}

async function reseal<Db extends SqlExecutor>(
  { cipher, store }: Deps<Db>,
  column: SealedColumn,
  { scope, stopping }: JobRun,
): Promise<{ resealed: number; unreadable: number }> {
  let [resealed, unreadable] = [0, 0];
  let after: readonly string[] = [];
  while (!stopping.aborted) {
    const behind = after;
    const page = await store.read(scope, async (db) => sealedAfter(db, column, behind));
    const renewed = page.flatMap((row) => {
      try {
        const anew = cipher.renew(row.sealed, column.of(...row.key));
        return anew ? [{ ...row, anew }] : [];
      } catch {
        unreadable += 1;
        return [];
      }
    });
    if (renewed.length > 0)
      resealed += await store.write(scope, async ({ db }) => replaceSealed(db, column, renewed));
    const last = page.at(-1);
    if (!last || page.length < pageSize) break;
    after = last.key;
  }
  return { resealed, unreadable };
}

/** The next rows in the order of their keys. */
async function sealedAfter(
  db: SqlExecutor,
  { column, key, table }: SealedColumn,
  after: readonly string[],
): Promise<Sealed[]> {
  const names = Object.keys(key).join(', ');
  const texts = Object.keys(key).map((name) => `${name}::text`);
  const values = Object.values(key).map((type, at) => `$${at + 1}::text::${type}`);
  return db.$queryRawUnsafe<Sealed[]>(
    `SELECT ARRAY[${texts.join(', ')}] AS key, ${column} AS sealed FROM ${table}
     WHERE ${column} IS NOT NULL ${after.length > 0 ? `AND (${names}) > (${values.join(', ')})` : ''}
     ORDER BY ${names} LIMIT ${pageSize}`,
    ...after,
  );
}

/** What was changed meanwhile stays. Answers how many were replaced. */
async function replaceSealed(
  db: SqlExecutor,
  { column, key, table }: SealedColumn,
  rows: readonly (Sealed & { readonly anew: Uint8Array })[],
): Promise<number> {
  const names = Object.keys(key);
  const isSame = Object.entries(key).map(([name, type]) => `it.${name} = one.${name}::${type}`);
  const lists = [...names, 'sealed', 'anew'].map((_, at) => `$${at + 1}::text[]`);
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  return db.$executeRawUnsafe(
    `UPDATE ${table} AS it SET ${column} = decode(one.anew, 'hex')
     FROM unnest(${lists.join(', ')}) AS one (${[...names, 'sealed', 'anew'].join(', ')})
     WHERE ${isSame.join(' AND ')} AND it.${column} = decode(one.sealed, 'hex')`,
    ...names.map((_, at) => rows.map((row) => row.key[at])),
    rows.map((row) => hex(row.sealed)),
    rows.map((row) => hex(row.anew)),
  );
}
