import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate, migrationsDir, withClient } from '@portal/database';
import { testDatabase } from '@portal/testing';
import { expect, it } from 'vitest';

const all = migrationsDir(fileURLToPath(new URL('../', import.meta.url)));

it('Users from before the list had marks and counts are found and counted, and groups are told once more', async () => {
  const before = await mkdtemp(join(tmpdir(), 'portal-user-'));
  for (const name of (await readdir(all)).filter((name) => name < '20261121211700')) {
    await cp(join(all, name), join(before, name), { recursive: true });
  }
  const database = await testDatabase({ service: 'user_before', directories: [before] });
  try {
    await withClient(database.ownerUrl, async (client) => {
      await client.query(`
        SET app.scope = 'system';
        INSERT INTO accounts (id, partner_id, name, name_key, role, is_user, max_device_count_limited_flag, max_device_count,
          created_at, updated_at)
        SELECT i, 1 + i / 4, 'A', 'a', 0, i <> 3, false, 0, now(), now() FROM generate_series(1, 4) i;
        INSERT INTO groups (id, partner_id, name, name_key, note, role, created_at, updated_at)
        SELECT i, 1, i, i, '', 0, now(), now() FROM generate_series(1, 2) i;
        INSERT INTO memberships (partner_id, group_id, account_id) VALUES (1, 2, 1), (1, 1, 1);
        INSERT INTO devices (partner_id, uuid, account_id, name, os_type, os_version, player_version, created_at)
        VALUES (1, 'device', 2, '', 'ios', '19', '5', now())`);
    });
    await migrate({ url: database.ownerUrl, directories: [all] });
    await withClient(database.ownerUrl, async (client) => {
      await client.query(`SET app.scope = 'system'`);
      const marks = await client.query('SELECT group_marks, platform_marks FROM accounts ORDER BY id');
      expect(marks.rows).toEqual([
        { group_marks: ',1,2,', platform_marks: '' },
        { group_marks: '', platform_marks: '\x1eios\x1f19\x1d5\x1cios\x1e' },
        { group_marks: '', platform_marks: '' },
        { group_marks: '', platform_marks: '' },
      ]);
      const tallies = await client.query(
        `SELECT partner_id, sum(users)::integer AS users, sum(devices)::integer AS devices
         FROM user_tallies GROUP BY 1 ORDER BY 1`,
      );
      expect(tallies.rows).toEqual([
        { partner_id: 1, users: 2, devices: 1 },
        { partner_id: 2, users: 1, devices: 0 },
      ]);
      const retold = await client.query(
        'SELECT thing, told_up_to, due_at > now() AS waits FROM retellings ORDER BY thing',
      );
      expect(retold.rows).toEqual(
        ['devices', 'groups', 'people', 'push-tokens'].map((thing) => ({
          thing,
          told_up_to: 0,
          waits: true,
        })),
      );
    });
  } finally {
    await database.drop();
    await rm(before, { recursive: true });
  }
});
