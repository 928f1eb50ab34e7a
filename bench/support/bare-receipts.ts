import Fastify from 'fastify';
import pg from 'pg';

// The raw engine of receipts: a bare Fastify route that takes the same bodies and inserts what comes meanwhile in one statement, in a
// process of its own.
const [port, connectionString] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 2 });
await pool.query(
  'CREATE TABLE IF NOT EXISTS bare_receipts (id bigserial PRIMARY KEY, file_id integer, device text, body jsonb)',
);

interface Waiting {
  readonly row: { readonly file: number; readonly device: string; readonly body: unknown };
  readonly done: (error?: unknown) => void;
}
let waiting: Waiting[] = [];
let isWriting = false;

async function write(): Promise<void> {
  isWriting = true;
  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    try {
      await pool.query({
        name: 'write',
        text: `INSERT INTO bare_receipts (file_id, device, body)
          SELECT file, device, body FROM jsonb_to_recordset($1::jsonb) AS one (file integer, device text, body jsonb)`,
        values: [JSON.stringify(batch.map(({ row }) => row))],
      });
      for (const { done } of batch) done();
    } catch (error) {
      for (const { done } of batch) done(error);
    }
  }
  isWriting = false;
}

const app = Fastify({ logger: false });
app.put<{ Params: { id: string } }>('/v1/user/files/:id/receipt', async ({ body, headers, params }) => {
  await new Promise<void>((resolve, reject) => {
    const done = (error?: unknown) => (error === undefined ? resolve() : reject(error as Error));
    waiting.push({
      row: { file: Number(params.id), device: headers.authorization?.slice(-32) ?? '', body },
      done,
    });
    if (!isWriting) void write();
  });
  return {};
});
await app.listen({ host: '127.0.0.1', port: Number(port) });
console.log('listening');
