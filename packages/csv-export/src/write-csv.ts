import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { enterScope, type Scope, withClient } from '@portal/database';
import { ofPartner, ofUnit, systemScope } from '@portal/service-kit';
import type { ObjectStorage } from '@portal/storage';
import { to as copyTo } from 'pg-copy-streams';
import { inZone } from './cells.ts';
import type { CsvExport, WantedCsv } from './csv-export.ts';
import { csvLines } from './csv-lines.ts';
import { shiftJis } from './shift-jis.ts';
import { sql } from './sql.ts';

/** How far the writing of a file is; kept up to date while it goes on. */
export interface CsvProgress {
  rowCount: number;
  totalRows: number;
  stage: 'processing' | 'preparing';
}

/**
 * Streams the rows of PostgreSQL, in one snapshot, into a file in the store; memory contains only what is in
 * transit. It uses a separate connection, so that a slow store delays no other work.
 */
export async function writeCsv(
  options: {
    readonly databaseUrl: string;
    readonly storage: ObjectStorage;
    readonly progress: CsvProgress;
    readonly signal: AbortSignal;
  },
  csv: CsvExport,
  request: WantedCsv,
): Promise<void> {
  const { databaseUrl, progress, storage } = options;
  const { columns, from, orderBy } = await csv.rows(request);
  await withClient(databaseUrl, async (client) => {
    await enterScope(client, databaseUrl, scopeOf(request));
    await client.query(
      sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${inZone(request.timeZone)}`.text,
    );
    const { rows } = await client.query<{ count: string }>(sql`SELECT count(*) FROM ${from}`.text);
    Object.assign(progress, { rowCount: 0, totalRows: Number(rows[0]?.count), stage: 'processing' });

    const copied = client.query(
      copyTo(
        sql`COPY (SELECT ${columns} FROM ${from} ORDER BY ${orderBy})
                 TO STDOUT (FORMAT csv, HEADER true, ENCODING 'UTF8')`.text,
      ),
    );
    const lines = csvLines({
      withBom: csv.encoding === 'utf8',
      onLines(count) {
        progress.rowCount = Math.max(0, count - 1);
      },
    });
    const body = csv.encoding === 'shiftJis' ? shiftJis() : lines;
    body.once('end', () => {
      progress.stage = 'preparing';
    });
    // The reader gets the error; without this listener it would end the process.
    body.on('error', () => undefined);
    const over = new AbortController();
    const signal = AbortSignal.any([options.signal, over.signal]);
    const stopped = once(signal, 'abort').then(() => {
      body.destroy(new Error('The export was stopped'));
    });
    try {
      const piped = pipeline(body === lines ? [copied, lines] : [copied, lines, body], { signal });
      const stored = Promise.all([piped, storage.put(request.objectKey, body)]);
      // The store may take its time to notice.
      await Promise.race([stored, stopped]);
      signal.throwIfAborted();
    } finally {
      over.abort();
    }
  });
}

function scopeOf({ kind, partnerId, unitId }: WantedCsv): Scope {
  if (partnerId !== null) return ofPartner(partnerId);
  return unitId === undefined ? systemScope(`export of ${kind} of all tenants`) : ofUnit(unitId);
}
