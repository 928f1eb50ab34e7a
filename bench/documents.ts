import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { databaseRoutes } from '@portal/contracts';
import { freePort, type Product, startProduct } from '@portal/testing/product';
import { projectNode } from '@portal/testing/project';
import autocannon from 'autocannon';
import { from as copyFrom } from 'pg-copy-streams';
import { type Benchmark, type Figure, median, megabytes, percent, quantile } from './support/figure.ts';
import { endProgram, memoryLimit, startProgram, watchMemory } from './support/processes.ts';
import { superuserUrl, withDatabase } from './support/product-database.ts';
import { inTurns } from './support/request-rate.ts';
import { companyAdmin, signInAdministrator } from './support/session.ts';
import { sizeOr } from './support/size.ts';

const count = sizeOr(1_000_000);
/** Documents that have the same value in the field with an index. */
const matching = 1_000;
const database = 'portal_document';
const connections = 32;

/** Documents of a tenant in the embedded host, through the gateway, against the driver and COPY on the same table. */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn' });
  const lines = join(tmpdir(), `portal-bench-documents-${process.pid}.ndjson`);
  try {
    const tenant = await openDatabase(product);
    await pipeline(Readable.from(jsonLines()), createWriteStream(lines));
    const imported = await measureImport(product, tenant, lines);
    const exported = await measureExport(product, tenant);
    const listed = await measureList(tenant);
    return [...imported, ...exported, listed, ...(await measureSingle(product, tenant))];
  } finally {
    await rm(lines, { force: true });
    await product.remove();
  }
};

interface Tenant {
  /** Of the collection. */
  readonly url: string;
  readonly headers: { readonly 'x-api-key': string };
}

async function openDatabase(product: Product): Promise<Tenant> {
  const api = await signInAdministrator(product.url);
  const params = { pid: companyAdmin.partnerId };
  const found = await api.call(databaseRoutes.getDatabase, { params }).catch(async () =>
    api.call(databaseRoutes.createDatabase, {
      params,
      body: { contractStatus: 2, expireDate: '2030-01-01T00:00:00Z' },
    }),
  );
  const { apiKey, db } = await api.call(databaseRoutes.updateDatabase, {
    params,
    body: { contractStatus: 2, expireDate: '2030-01-01T00:00:00Z' },
  });
  const headers = { 'x-api-key': apiKey ?? found.apiKey ?? '' };
  const collections = `${product.url}/api/v2/${db}/collection`;
  await asked(collections, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench' }),
  });
  return { url: `${collections}/bench`, headers };
}

async function asked(url: string, init: RequestInit): Promise<Response> {
  const reply = await fetch(url, init);
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
  return reply;
}

const idOf = (number: number): string => `document-${String(number).padStart(7, '0')}`;

const documentOf = (number: number) => ({
  _id: idOf(number),
  group: Math.floor((number * 7_919) % (count / matching)),
  name: `Person ${number}`,
  note: `Notes on this one, 日本語 also: ${'lorem ipsum '.repeat(12)}`,
  tags: ['a', 'b', `t${number % 10}`],
  at: { day: number % 365 },
});

function* jsonLines(): Generator<string> {
  let chunk = '';
  for (let number = 0; number < count; number += 1) {
    chunk += `${JSON.stringify(documentOf(number))}\n`;
    if (chunk.length < 65_536) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

/** How long the work takes. */
async function secondsOf(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1_000;
}

async function measureImport(product: Product, tenant: Tenant, lines: string): Promise<readonly Figure[]> {
  const memory = await watchMemory(product.pid);
  const ours = await secondsOf(async () => {
    const reply = await asked(`${tenant.url}/import`, {
      method: 'POST',
      headers: { ...tenant.headers, 'content-type': 'application/x-ndjson' },
      body: Readable.toWeb(createReadStream(lines)) as ReadableStream,
      duplex: 'half',
    } as RequestInit);
    const result = await reply.json();
    if (JSON.stringify(result) !== JSON.stringify({ count, line_errors: [], failed: 0 })) {
      throw new Error(JSON.stringify(result));
    }
  });
  const rise = memory.stop();
  const raw = await withDatabase(product, database, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO documents.collections (partner_id, db, name) VALUES (1, 'bench', 'raw') RETURNING id`,
    );
    const id = rows[0]?.id ?? '';
    const seconds = await secondsOf(async () => {
      const copy = client.query(
        copyFrom('COPY documents.documents (collection_id, partner_id, id, source) FROM STDIN'),
      );
      await pipeline(Readable.from(copyRows(id)), copy);
    });
    await client.query('DELETE FROM documents.documents WHERE collection_id = $1', [id]);
    await client.query('VACUUM ANALYZE documents.documents');
    return seconds;
  });
  return [
    ratioFigure(`Import of ${count} documents, against COPY into the same table`, 0.4, raw / ours, {
      detail: `${ours.toFixed(1)} s and ${raw.toFixed(1)} s`,
      growth: { title: 'Import of documents', unit: 's', value: ours },
    }),
    memoryFigure('Memory of an import above before', rise),
  ];
}

function* copyRows(collectionId: string): Generator<string> {
  let chunk = '';
  for (let number = 0; number < count; number += 1) {
    const { _id, ...content } = documentOf(number);
    chunk += `${collectionId}\t1\t${_id}\t${JSON.stringify(content).replaceAll('\\', '\\\\')}\n`;
    if (chunk.length < 65_536) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

async function measureExport(product: Product, tenant: Tenant): Promise<readonly Figure[]> {
  const memory = await watchMemory(product.pid);
  const ours = await secondsOf(async () => {
    const reply = await asked(`${tenant.url}/export`, { headers: tenant.headers });
    let found = 0;
    for await (const chunk of reply.body ?? []) {
      // Byte by byte in JavaScript the caller would take as long as the product.
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) found += 1;
    }
    if (found < count - 1) throw new Error(`Only ${found} documents`);
  });
  const rise = memory.stop();
  const raw = await withDatabase(product, database, async (client) =>
    secondsOf(async () => {
      await client.query('BEGIN');
      await client.query(
        `DECLARE bare CURSOR FOR SELECT id, source, version, created_at, updated_at FROM documents.documents
         WHERE collection_id = (SELECT id FROM documents.collections WHERE name = 'bench') ORDER BY id`,
      );
      for (let rows = 1; rows > 0; ) rows = (await client.query('FETCH 2000 FROM bare')).rows.length;
      await client.query('COMMIT');
    }),
  );
  return [
    ratioFigure(`Export of ${count} documents, against a bare cursor`, 0.5, raw / ours, {
      detail: `${ours.toFixed(1)} s and ${raw.toFixed(1)} s`,
      growth: { title: 'Export of documents', unit: 's', value: ours },
    }),
    memoryFigure('Memory of an export above before', rise),
  ];
}

async function measureList(tenant: Tenant): Promise<Figure> {
  const making = await secondsOf(async () => {
    await asked(`${tenant.url}/indexes`, {
      method: 'POST',
      headers: { ...tenant.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ field: 'group' }),
    });
  });
  const samples: number[] = [];
  for (let turn = 0; turn < 120; turn += 1) {
    const filter = JSON.stringify({ group: (turn * 31) % (count / matching) });
    const sort = turn % 2 === 0 ? '' : '&sort=-name';
    const begun = performance.now();
    const reply = await asked(
      `${tenant.url}/documents?per_page=100&filter=${encodeURIComponent(filter)}${sort}`,
      { headers: tenant.headers },
    );
    const { total_count: total } = (await reply.json()) as { total_count: number };
    if (total !== matching) throw new Error(`${total} documents match`);
    // The first ones find nothing in memory.
    if (turn >= 20) samples.push(performance.now() - begun);
  }
  const p95 = quantile(samples, 0.95);
  return {
    what: `List by a filter that ${matching} of ${count} documents match, with an index: p95`,
    target: '100 ms',
    measured: `${Math.round(p95)} ms`,
    value: p95,
    better: 'lower',
    detail: `median ${Math.round(median(samples))} ms; the index was made in ${making.toFixed(1)} s`,
    met: p95 < 100,
    growth: {
      title: 'A page of documents by a field with an index, of 1,000 that match: p95',
      unit: 'ms',
      value: p95,
    },
  };
}

async function measureSingle(product: Product, tenant: Tenant): Promise<readonly Figure[]> {
  const url = await superuserUrl(product, database);
  const rawId = await withDatabase(product, database, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `SELECT id FROM documents.collections WHERE name = 'raw'`,
    );
    const id = rows[0]?.id ?? '';
    await client.query(
      `INSERT INTO documents.documents (collection_id, partner_id, id, source) VALUES ($1, 1, $2, $3)`,
      [id, idOf(1), JSON.stringify(documentOf(1))],
    );
    return id;
  });
  const port = await freePort();
  const bare = await startProgram(projectNode, ['bench/support/bare-documents.ts', String(port), url, rawId]);
  // A collection without an index, as the bare table has none.
  await asked(`${tenant.url}/indexes?field=group`, { method: 'DELETE', headers: tenant.headers });
  const ours = `${tenant.url}/documents/${idOf(1)}`;
  const raw = `http://127.0.0.1:${port}/${idOf(1)}`;
  try {
    const figures: Figure[] = [];
    for (const method of ['GET', 'PUT'] as const) {
      // Of many documents in turn: writers of one would wait for each other.
      const rate = async (at: string, headers: Record<string, string>, seconds: number) => {
        const base = at.slice(0, at.lastIndexOf('/'));
        const result = await autocannon({
          url: at,
          connections,
          duration: seconds,
          requests: Array.from({ length: 500 }, (_, number) => ({
            method,
            path: new URL(method === 'GET' ? at : `${base}/${idOf(number)}`).pathname,
            headers: { ...headers, ...(method === 'PUT' && { 'content-type': 'application/json' }) },
            ...(method === 'PUT' && { body: JSON.stringify(documentOf(number)) }),
          })),
        });
        if (result.non2xx > 0 || result.errors > 0)
          throw new Error(`${result.non2xx + result.errors} failed`);
        return result.requests.average;
      };
      await rate(ours, tenant.headers, 2);
      await rate(raw, {}, 2);
      const rates = await inTurns(
        async () => rate(ours, tenant.headers, 5),
        async () => rate(raw, {}, 5),
        3,
      );
      const ratio = median(rates.ours) / median(rates.raw);
      const what = method === 'GET' ? 'Read' : 'Write';
      figures.push(
        ratioFigure(
          `${what} of one document through the gateway, against the driver in a bare route`,
          0.5,
          ratio,
          {
            detail: `${Math.round(median(rates.ours))} and ${Math.round(median(rates.raw))} requests/s`,
          },
        ),
      );
    }
    return figures;
  } finally {
    await endProgram(bare);
  }
}

function ratioFigure(
  what: string,
  target: number,
  ratio: number,
  told: Pick<Figure, 'detail' | 'growth'>,
): Figure {
  return {
    ...told,
    ...{ what, target: percent(target), measured: percent(ratio), value: ratio },
    better: 'higher',
    met: ratio >= target,
  };
}

function memoryFigure(what: string, bytes: number): Figure {
  return {
    ...{ what, detail: '', target: megabytes(memoryLimit), measured: megabytes(bytes), value: bytes },
    better: 'lower',
    met: bytes <= memoryLimit,
  };
}
