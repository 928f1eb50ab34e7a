import { AppError } from '@portal/kernel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isUniqueViolation, withClient } from '../src/index.ts';
import { fixtureDatabase, partner, system } from './fixture.ts';

type Fixture = Awaited<ReturnType<typeof fixtureDatabase>>;
let fixture: Fixture;

beforeAll(async () => {
  fixture = await fixtureDatabase();
});
afterAll(() => fixture.close());

const item = (partnerId: number, name: string) => ({ data: { partnerId, name } });

describe('scope', () => {
  test('a tenant sees and changes its own rows alone, whatever it asks for', async () => {
    const { database } = fixture;
    await database.transaction(partner(1), (tx) => tx.item.create(item(1, 'one')));
    await database.transaction(partner(2), (tx) => tx.item.create(item(2, 'two')));

    expect(await database.read(partner(1), (tx) => tx.item.findMany({ select: { name: true } }))).toEqual([
      { name: 'one' },
    ]);
    expect(await database.read(partner(1), (tx) => tx.item.count({ where: { partnerId: 2 } }))).toBe(0);
    expect(
      await database.transaction(partner(1), (tx) =>
        tx.item.updateMany({ where: { partnerId: 2 }, data: { name: 'mine' } }),
      ),
    ).toEqual({ count: 0 });
    await expect(database.transaction(partner(1), (tx) => tx.item.create(item(2, 'theirs')))).rejects.toThrow(
      'row-level security',
    );
    expect(await database.read(system, (tx) => tx.item.count({ where: { partnerId: 2, name: 'two' } }))).toBe(
      1,
    );
  });

  test('without a scope no row is seen, and the role cannot lift the policy', async () => {
    await fixture.database.transaction(partner(3), (tx) => tx.item.create(item(3, 'three')));
    await withClient(fixture.url, async (client) => {
      expect((await client.query('SELECT * FROM items')).rows).toEqual([]);
      await expect(client.query('ALTER TABLE items DISABLE ROW LEVEL SECURITY')).rejects.toThrow(
        'must be owner',
      );
      await expect(client.query('CREATE TABLE mine (id int)')).rejects.toThrow('permission denied');
      await expect(client.query('TRUNCATE items')).rejects.toThrow('permission denied');
    });
    await withClient(fixture.ownerUrl, async (owner) => {
      expect((await owner.query('SELECT * FROM items')).rows).toEqual([]);
    });
  });

  test('a scope ends with its transaction, on the same connection too', async () => {
    const single = fixture.open(fixture.url);
    await single.transaction(partner(4), (tx) => tx.item.create(item(4, 'four')));
    const scopes = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        single.read(partner(i), async (tx) => {
          const rows = await tx.$queryRaw<{ id: string }[]>`
            SELECT split_part(current_setting('app.scope'), ' ', 2) AS id`;
          return rows[0]?.id;
        }),
      ),
    );
    expect(scopes).toEqual(Array.from({ length: 40 }, (_, i) => String(i)));
    await single.close();
  });

  test('a partner id that is no whole number is refused', async () => {
    for (const partnerId of [Number.NaN, 1.5, 0.5, Number.POSITIVE_INFINITY]) {
      await expect(fixture.database.read(partner(partnerId), async () => 1)).rejects.toThrow(
        'Not a partner id',
      );
    }
  });
});

describe('transactions', () => {
  test('a failed one leaves nothing, and a reading one cannot write', async () => {
    const { database } = fixture;
    await expect(
      database.transaction(partner(10), async (tx) => {
        await tx.item.create(item(10, 'gone'));
        throw new Error('stop');
      }),
    ).rejects.toThrow('stop');
    await expect(database.read(partner(10), (tx) => tx.item.create(item(10, 'gone')))).rejects.toThrow(
      'read-only',
    );
    expect(await database.read(partner(10), (tx) => tx.item.count())).toBe(0);
  });

  test('colliding serializable ones are run again until all are done', async () => {
    const { database } = fixture;
    const { id } = await database.transaction(partner(11), (tx) => tx.item.create(item(11, 'counter')));
    let runs = 0;
    const allHaveRead = Promise.withResolvers<void>();
    const increase = () =>
      database.transaction(
        partner(11),
        async (tx) => {
          const { size } = await tx.item.findUniqueOrThrow({ where: { id } });
          runs += 1;
          if (runs === 3) allHaveRead.resolve();
          await allHaveRead.promise;
          await tx.item.update({ where: { id }, data: { size: size + 1n } });
        },
        { isolation: 'serializable' },
      );
    await Promise.all([increase(), increase(), increase()]);
    expect(runs).toBeGreaterThan(3);
    const counter = await database.read(partner(11), (tx) => tx.item.findUniqueOrThrow({ where: { id } }));
    expect(counter.size).toBe(3n);
  });

  test('two that wait for each other both end well', async () => {
    const { database } = fixture;
    const [a, b] = await Promise.all(
      ['a', 'b'].map((name) => database.transaction(partner(12), (tx) => tx.item.create(item(12, name)))),
    );
    const touch = (first: number, second: number) =>
      database.transaction(partner(12), async (tx) => {
        await tx.item.update({ where: { id: first }, data: { note: 'x' } });
        await tx.$queryRaw`SELECT 1 FROM pg_sleep(0.2)`;
        await tx.item.update({ where: { id: second }, data: { note: 'x' } });
      });
    if (!a || !b) throw new Error('no rows');
    await Promise.all([touch(a.id, b.id), touch(b.id, a.id)]);
    expect(await database.read(partner(12), (tx) => tx.item.count({ where: { note: 'x' } }))).toBe(2);
  });

  test('a unique violation says which', async () => {
    const { database } = fixture;
    const create = () => database.transaction(partner(13), (tx) => tx.item.create(item(13, 'same')));
    await create();
    const error: unknown = await create().catch((e: unknown) => e);
    expect(isUniqueViolation(error, 'items_partner_id_name_key')).toBe(true);
    expect(isUniqueViolation(error, 'items_pkey')).toBe(false);
    expect(isUniqueViolation(new Error('other'), 'items_pkey')).toBe(false);
  });

  test('a database that is not there is E50301, at once', async () => {
    const url = new URL(fixture.url);
    url.port = '1';
    const away = fixture.open(url.href);
    const started = performance.now();
    await expect(away.ready()).rejects.toMatchObject({ code: 'E50301' });
    await expect(away.read(system, (tx) => tx.item.count())).rejects.toMatchObject({ code: 'E50301' });
    expect(performance.now() - started).toBeLessThan(10_000);
    await away.close();
  });

  test('a connection that is cut in the middle is E50301, and the next one works', async () => {
    const { database } = fixture;
    const cut = database.transaction(
      system,
      (tx) => tx.$queryRaw`SELECT pg_terminate_backend(pg_backend_pid())`,
    );
    await expect(cut).rejects.toMatchObject({ code: 'E50301' });
    await expect(database.ready()).resolves.toBeUndefined();
    expect(await database.read(partner(99), (tx) => tx.item.count())).toBe(0);
  });

  test('connections that break unnoticed are E50301 and end no process', async () => {
    const database = fixture.open(fixture.url);
    const count = () => database.read(partner(14), async (tx) => tx.item.count());
    const codes = new Set<unknown>();
    await withClient(fixture.url, async (client) => {
      for (let round = 0; round < 15; round += 1) {
        await Promise.allSettled(Array.from({ length: 5 }, count));
        const ended = client.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`,
        );
        // The server ends them while this thread reads nothing: the next statements go to connections that are gone.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
        const noteCode = (error: unknown) => codes.add(error instanceof AppError ? error.code : error);
        await Promise.all(Array.from({ length: 12 }, async () => count().catch(noteCode)));
        await ended;
      }
    });
    expect([...codes]).toEqual(['E50301']);
    await database.close();
  });
});
