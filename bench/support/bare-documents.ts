import Fastify from 'fastify';
import pg from 'pg';

// The raw engine of single documents: two bare Fastify routes that call the driver, on the same table, in a process of their own.
const [port, connectionString, collectionId] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 10 });
const app = Fastify({ logger: false });
interface Named {
  Params: { id: string };
}
app.get<Named>('/:id', async ({ params }) => {
  const { rows } = await pool.query<{ source: string }>({
    name: 'read',
    text: 'SELECT source FROM documents.documents WHERE collection_id = $1 AND id = $2',
    values: [collectionId, params.id],
  });
  return JSON.parse(rows[0]?.source ?? 'null') as unknown;
});
app.put<Named>('/:id', async ({ body, params }) => {
  await pool.query({
    name: 'write',
    text: `INSERT INTO documents.documents AS d (collection_id, partner_id, id, source) VALUES ($1, 1, $2, $3)
      ON CONFLICT (collection_id, id) DO UPDATE SET source = excluded.source, version = d.version + 1, updated_at = now()`,
    values: [collectionId, params.id, JSON.stringify(body)],
  });
  return body;
});
await app.listen({ host: '127.0.0.1', port: Number(port) });
console.log('listening');
