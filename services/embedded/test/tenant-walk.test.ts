import { pathsOf, type RouteContract } from '@portal/contracts';
import { allRoutes } from '@portal/contracts/catalogue';
import { send, signIn, signInAdmin, uploadFile } from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectAsService } from './support.ts';

/** Another tenant's ids never answer, whatever the route; and the database alone, without the code's checks, refuses. */

const own = { partnerId: 1 };
const foreign = { partnerId: 2 };

let product: Product;
let tokens: Record<'portal' | 'player' | 'unitAdmin' | 'victim', string>;
/** Ids of partner 1, which partner 2 tries. */
let target: { group: number; user: number; admin: number; file: number; upload: string };
/** What partner 2 has itself. */
let mine: { group: number; user: number; file: number };

const listIds = async (token: string, partnerId: number, noun: string): Promise<number[]> => {
  const { body } = await send(
    product,
    'GET',
    `/v1/partner/partners/${partnerId}/${noun}?per_page=100&order=asc`,
    { token },
  );
  return (body[noun] as { id: number }[]).map(({ id }) => id);
};

beforeAll(async () => {
  product = await startProduct();
  tokens = {
    victim: await signIn(product, '1000', 'partner@example.com'),
    portal: await signIn(product, '2000', 'second@example.com'),
    player: await signIn(product, '2000', 'crew1', 'walk-device'),
    unitAdmin: await signInAdmin(product, 'other-unit@example.com'),
  };
  const open = await send(product, 'POST', '/v1/partner/partners/1/files', {
    token: tokens.victim,
    body: { name: 'Open', file_name: 'open.uap', file_size: 5 },
  });
  target = {
    group: (await listIds(tokens.victim, 1, 'groups'))[0] ?? 0,
    user: (await listIds(tokens.victim, 1, 'users'))[0] ?? 0,
    admin: (await listIds(tokens.victim, 1, 'admins'))[0] ?? 0,
    file: (await listIds(tokens.victim, 1, 'files'))[0] ?? 0,
    upload: String(open.body.uploadId),
  };
  mine = {
    group: (await listIds(tokens.portal, 2, 'groups'))[0] ?? 0,
    user: (await listIds(tokens.portal, 2, 'users'))[0] ?? 0,
    file: await uploadFile(product, tokens.portal, {
      partnerId: 2,
      name: 'Mine',
      fileName: 'mine.uap',
      content: Buffer.from('mine!'),
    }),
  };
});
afterAll(() => product?.remove());

/** A body that the route would accept from its own tenant. */
const bodies: Record<string, () => object> = {
  createGroup: () => ({ name: 'Walk' }),
  updateGroup: () => ({ name: 'Walked' }),
  addGroupUsers: () => ({ ids: [target.user] }),
  removeGroupUsers: () => ({ ids: [target.user] }),
  createUser: () => ({ name: 'Walk', login_user_id: 'walk', password: 'Passw0rd-walk' }),
  updateUser: () => ({ name: 'Walked' }),
  deleteUsers: () => ({ ids: [target.user] }),
  createCompanyAdmin: () => ({ name: 'Walk', email: 'walk@example.com' }),
  updateCompanyAdmin: () => ({ name: 'Walked' }),
  deleteCompanyAdmins: () => ({ ids: [target.admin] }),
  createPartnerAdmin: () => ({ name: 'Walk', email: 'walk@example.com' }),
  updatePartnerAdmin: () => ({ name: 'Walked' }),
  deletePartnerAdmins: () => ({ ids: [target.admin] }),
  createFile: () => ({ name: 'Walk', file_name: 'walk.uap', file_size: 5 }),
  createSingleFile: () => ({ name: 'walk-single.uap', file_size: 5 }),
  updateFile: () => ({ name: 'Walked' }),
  reserveUpdate: () => ({
    update_reservation_at: '2036-01-01T00:00:00Z',
    file_name: 'open.uap',
    file_size: 5,
  }),
  assignGroups: () => ({ group_ids: [] }),
  createUserImport: () => ({ file_name: 'walk.csv' }),
  applyUserImport: () => ({ batch_process_id: 1 }),
  cancelUserImport: () => ({ batch_process_id: 1 }),
  signParts: () => ({ part_numbers: [1] }),
  completeUpload: () => ({ parts: [] }),
  updatePlatform: () => ({ name: 'Walked' }),
  validatePassword: () => ({ password: 'Passw0rd-walk' }),
};

const walked = allRoutes.filter((route) => /:(pid|id|adminId|uploadId|uuid)/.test(route.path));

/** The id of partner 1 that a route's own parameter names. */
function targetOf(route: RouteContract): number | string {
  if (route.path.includes('/groups/:id')) return target.group;
  if (route.path.includes('/users/:id')) return target.user;
  return target.file;
}

const fill = (path: string, pid: number, id: number | string) =>
  path
    .replace(':pid', String(pid))
    .replace(':uploadId', target.upload)
    .replace(':uuid', 'device-of-taro')
    .replace(':adminId', String(target.admin))
    .replace(':id', String(id));

const tokenFor = (route: RouteContract) => {
  if (route.access.kind === 'admin') return tokens.unitAdmin;
  return route.access.kind === 'player' ? tokens.player : tokens.portal;
};

async function snapshot(): Promise<unknown> {
  const token = tokens.victim;
  const read = async (path: string) => (await send(product, 'GET', path, { token })).body;
  // Signed addresses are made anew for each answer.
  return JSON.parse(
    JSON.stringify([
      await read('/v1/partner/partners/1/groups?per_page=100'),
      await read('/v1/partner/partners/1/users?per_page=100'),
      await read('/v1/partner/partners/1/admins?per_page=100'),
      await read('/v1/partner/partners/1/files?per_page=100'),
      await read(`/v1/uploads/${target.upload}`),
    ]).replaceAll(/"\w*[sS]ignedUrl":"[^"]*"/g, '""'),
  );
}

describe("When a tenant tries another tenant's ids", () => {
  test('then no route answers as if they existed, and nothing has changed', async () => {
    const before = await snapshot();
    const answered: string[] = [];
    for (const route of walked) {
      if (route.body && !bodies[route.id]) throw new Error(`The walk has no body for ${route.id}`);
      const pids = route.path.includes(':pid') ? [own.partnerId, foreign.partnerId] : [own.partnerId];
      for (const pid of pids) {
        // With their own partner id there must be a foreign one besides.
        const besides =
          /:(id|adminId|uploadId)/.test(route.path) ||
          route.id === 'deleteUsers' ||
          route.id === 'deleteCompanyAdmins';
        if (pid === foreign.partnerId && !besides) continue;
        for (const path of pathsOf(route)) {
          const id = route.access.kind === 'admin' ? 1 : targetOf(route);
          const reply = await send(product, route.method, fill(path, pid, id), {
            token: tokenFor(route),
            ...(route.body ? { body: bodies[route.id]?.() } : {}),
          });
          const refused =
            reply.status === 404 || (route.access.kind === 'admin' && reply.body.code === 'E40305');
          if (!refused)
            answered.push(`${route.method} ${fill(path, pid, id)}: ${reply.status} ${reply.body.code}`);
        }
      }
    }
    expect(answered).toEqual([]);
    expect(await snapshot()).toEqual(before);
  });

  test('then an id in a body does not exist either', async () => {
    const token = tokens.portal;
    const attempt = async (method: string, path: string, body: object) => {
      const reply = await send(product, method, `/v1/partner/partners/2/${path}`, { token, body });
      return [reply.status, reply.body.code, reply.body.errors];
    };
    const unknownGroup = [404, 'E40404', [expect.objectContaining({ field: 'group_ids' })]];
    expect(await attempt('PUT', `files/${mine.file}/groups`, { group_ids: [target.group] })).toEqual(
      unknownGroup,
    );
    expect(await attempt('PUT', `users/${mine.user}`, { group_ids: [mine.group, target.group] })).toEqual(
      unknownGroup,
    );
    expect(
      await attempt('POST', 'users', {
        name: 'x',
        login_user_id: 'x1',
        password: 'Passw0rd-walk',
        group_ids: [target.group],
      }),
    ).toEqual(unknownGroup);
    expect((await attempt('DELETE', 'users', { ids: [mine.user, target.user] })).slice(0, 2)).toEqual([
      404,
      'E40403',
    ]);
    expect(await listIds(token, 2, 'users')).toContain(mine.user);
  });

  test('then lists and searches hold their own alone', async () => {
    for (const noun of ['groups', 'users', 'admins', 'files'] as const) {
      const theirs = new Set(await listIds(tokens.victim, 1, noun));
      for (const id of await listIds(tokens.portal, 2, noun)) expect(theirs.has(id)).toBe(false);
    }
    const { body } = await send(product, 'GET', '/v1/admin/partners?all=true', { token: tokens.unitAdmin });
    expect(body.partners).toEqual([{ id: 2, name: 'Second Company' }]);
  });
});

describe('When the code has no checks at all', () => {
  test.each(['identity', 'tenant', 'user', 'file', 'mail', 'batch'])(
    'then row-level security alone keeps the tenants of %s apart',
    async (service) => {
      const db = await connectAsService(product, service, { kind: 'partner', partnerId: 2 });
      const bare = await connectAsService(product, service, 'none');
      try {
        const { rows: tables } = await db.query<Secured>(
          `SELECT c.oid::regclass AS name, c.relispartition AS "isPart",
             c.relrowsecurity AND (c.relforcerowsecurity OR c.relispartition) AS secured,
             ARRAY(SELECT p.polname::text FROM pg_policy p WHERE p.polrelid = c.oid ORDER BY 1) AS policies,
             ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0) AS columns
           FROM pg_class c
           WHERE c.relkind IN ('r', 'p') AND c.relnamespace::regnamespace::text !~ '^(pg_|information_schema|scope)'
             AND c.relname <> '_prisma_migrations'`,
        );
        expect(tables.some(({ columns }) => columns.includes('partner_id'))).toBe(true);
        for (const { columns, isPart, name: table, policies, secured } of tables) {
          const isOfTenants = columns.includes('partner_id');
          const wanted = [
            ...(table === 'messaging.outbox' ? ['append'] : []),
            ...(isOfTenants ? ['partner'] : []),
            'system',
            ...(columns.includes('unit_id') ? ['unit'] : []),
          ];
          expect({ table, secured, policies }).toEqual({
            table,
            secured: true,
            policies: isPart ? [] : wanted,
          });
          const seen = await db.query<{ partner_id?: number }>(`SELECT * FROM ${table}`);
          expect(seen.rows.filter((row) => !isOfTenants || row.partner_id !== 2)).toEqual([]);
          // Nor does it with a scope of its own making, nor without one.
          await bare.query('RESET app.scope');
          expect((await bare.query(`SELECT 1 FROM ${table} LIMIT 1`)).rowCount).toBe(0);
          await bare.query(`SET app.scope = 'system 0'`);
          const lifted = bare.query(`SELECT 1 FROM ${table} LIMIT 1`).then(
            ({ rowCount }) => rowCount,
            (error: Error) => error.message,
          );
          expect([0, 'The scope of the transaction is not signed']).toContain(await lifted);
          if (!isOfTenants) continue;
          await db.query('BEGIN');
          const changed = await db.query(`UPDATE ${table} SET partner_id = partner_id WHERE partner_id = 1`);
          expect(changed.rowCount).toBe(0);
          const deleted = await db.query(`DELETE FROM ${table} WHERE partner_id = 1`);
          expect(deleted.rowCount).toBe(0);
          await db.query('ROLLBACK');
        }
        const { rows: role } = await db.query(
          'SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user',
        );
        expect(role).toEqual([{ rolsuper: false, rolbypassrls: false }]);
        // What runs as the owner looks for nothing where others could put something, and is known here.
        const { rows: definers } = await db.query<{ name: string; path: string | null }>(
          `SELECT oid::regprocedure::text AS name,
             (SELECT setting FROM unnest(proconfig) setting WHERE setting LIKE 'search_path=%') AS path
           FROM pg_proc WHERE prosecdef ORDER BY 1`,
        );
        expect(definers.map(({ name }) => name)).toEqual([
          ...(service === 'user' ? ['analyze_import_rows()'] : []),
          ...(service === 'batch'
            ? ['logs.drop_months(timestamp with time zone)', 'logs.make_month(date)']
            : []),
          'scope.genuine(text)',
        ]);
        for (const { path } of definers) expect(path).toMatch(/^search_path=pg_catalog,.*pg_temp$/);
      } finally {
        await db.end();
        await bare.end();
      }
    },
  );

  test('then a tenant writes no event of another', async () => {
    const db = await connectAsService(product, 'user', { kind: 'partner', partnerId: 2 });
    const append = (partnerId: number | null) =>
      db.query(
        `INSERT INTO messaging.outbox (topic, key, envelope, created_at) VALUES ('t', 'k', $1, now())`,
        [{ partnerid: partnerId }],
      );
    try {
      await expect(append(1)).rejects.toThrow('row-level security');
      // What it may write is not to be sent here.
      await db.query('BEGIN');
      expect((await append(2)).rowCount).toBe(1);
      expect((await append(null)).rowCount).toBe(1);
      await db.query('ROLLBACK');
    } finally {
      await db.end();
    }
  });
});

interface Secured {
  readonly name: string;
  readonly isPart: boolean;
  readonly secured: boolean;
  readonly policies: readonly string[];
  readonly columns: readonly string[];
}
