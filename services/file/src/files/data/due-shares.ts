import type { RawQueries } from '@portal/database';
import { Prisma } from '../../data/generated/client.ts';

/** Of what is due, how much is looked for: of each tenant its oldest up to a share, and nothing of tenants that are not to be asked now. */
export interface DueShares {
  readonly limit: number;
  readonly share: number;
  readonly except: readonly number[];
}

/** What is due, as it is found: of each tenant the oldest by `at`, up to its share. `where` says which rows of `from` are due. */
export async function findDue(
  db: RawQueries,
  { at, from, where }: Readonly<Record<'at' | 'from' | 'where', Prisma.Sql>>,
  { except, limit, share }: DueShares,
): Promise<{ id: number; partnerId: number }[]> {
  return db.$queryRaw<{ id: number; partnerId: number }[]>`
    SELECT id, partner_id AS "partnerId" FROM (
      SELECT id, partner_id, ${at} AS due_at, row_number() OVER (PARTITION BY partner_id ORDER BY ${at}, id) AS place
      FROM ${from}
      WHERE ${where} AND partner_id <> ALL (${[...except]}::integer[])) AS due
    WHERE place <= ${share} ORDER BY due_at, id LIMIT ${limit}`;
}
