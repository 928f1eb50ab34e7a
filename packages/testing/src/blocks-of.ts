import type { SqlExecutor } from '@portal/messaging';

/** How many blocks of these tables and their indexes `work` goes through, in the transaction of `db`. */
export async function blocksOf(
  db: SqlExecutor,
  tables: readonly string[],
  work: () => Promise<unknown>,
): Promise<number> {
  const blocks = async () => {
    const [row] = await db.$queryRawUnsafe<{ blocks: number }[]>(
      `SELECT sum(pg_stat_get_xact_blocks_fetched(relation))::integer AS blocks FROM (
         SELECT oid AS relation FROM pg_class WHERE oid = ANY ($1::regclass[])
         UNION ALL SELECT indexrelid FROM pg_index WHERE indrelid = ANY ($1::regclass[])) of`,
      tables,
    );
    return row?.blocks ?? 0;
  };
  // What other processes go through for it is not counted.
  await db.$queryRawUnsafe(`SELECT set_config('max_parallel_workers_per_gather', '0', true)`);
  const before = await blocks();
  await work();
  return (await blocks()) - before;
}
