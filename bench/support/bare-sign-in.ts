import { verify } from '@node-rs/argon2';
import Fastify from 'fastify';
import pg from 'pg';

// The least that a sign-in can be: a bare route that reads one account, checks one password and writes one row.
const [port, connectionString] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString });
const app = Fastify({ logger: false });
app.post<{ Body: { login: string; password: string } }>('/', async ({ body }) => {
  const { rows } = await pool.query<{ id: number; password_hash: string }>({
    name: 'find',
    text: 'SELECT id, password_hash FROM accounts WHERE partner_id = 1 AND login_user_id_key = $1',
    values: [body.login],
  });
  const [account] = rows;
  if (!account || !(await verify(account.password_hash, body.password))) throw new Error('Wrong');
  await pool.query({
    name: 'begin',
    text: 'INSERT INTO bare_sign_ins (account_id) VALUES ($1)',
    values: [account.id],
  });
  return {};
});
await app.listen({ host: '127.0.0.1', port: Number(port) });
console.log('listening');
