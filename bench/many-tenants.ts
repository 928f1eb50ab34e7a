import { setTimeout as sleep } from 'node:timers/promises';
import { hash } from '@node-rs/argon2';
import { startProduct } from '@portal/testing/product';
import type { Client } from 'pg';
import { type Benchmark, megabytes, percent } from './support/figure.ts';
import { checksOf, look, type Player } from './support/players.ts';
import { processorSeconds, residentBytes } from './support/processes.ts';
import { withDatabase } from './support/product-database.ts';
import { demoPassword, passwordCost, signIn } from './support/session.ts';

const tenants = { count: 10_000, people: 100, groups: 5, files: 20 };
/** Players who ask, each of another tenant. */
const askers = 1_000;
/** A million players that look every half an hour. */
const checksPerSecond = 556;
const seconds = 60;
const limits = { p99Ms: 50, growth: 1.25 };
const settleMs = 20_000;
const watchMs = 20_000;

const firstTenant = 1_000_001;
const firstGroup = 10_000_000;
const firstPerson = 10_000_000;
const lastOf = (first: number, each: number) => first + tenants.count * each - 1;

/**
 * Ten thousand tenants of a hundred people: update checks by players of a thousand of them, and what the product takes without
 * requests, and to start, against the same product without those tenants.
 */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn', RATE_LIMIT: 'off' });
  const startAgain = async () => {
    await product.stop();
    const begun = performance.now();
    await product.start();
    const startMs = performance.now() - begun;
    await sleep(settleMs);
    const before = await processorSeconds(product.pid);
    await sleep(watchMs);
    return {
      startMs,
      core: ((await processorSeconds(product.pid)) - before) / (watchMs / 1_000),
      bytes: await residentBytes(product.pid),
    };
  };
  try {
    const few = await startAgain();
    const passwordHash = await hash(demoPassword, passwordCost);
    const databases = ['tenant', 'user', 'file', 'push', 'sso', 'document', 'batch', 'mail'];
    for (const name of databases) await withDatabase(product, `portal_${name}`, insertPartners);
    await withDatabase(product, 'portal_user', async (client) => insertUsers(client, passwordHash));
    await withDatabase(product, 'portal_file', insertFiles);
    const many = await startAgain();

    const players: Player[] = [];
    for (let n = 0; n < askers; n += 1) {
      const partnerCode = codeOf(firstTenant + n);
      const { token } = await signIn(product.url, { partnerCode, user: 'person-0', device: 'bench' });
      players.push({ token, cursor: '', brought: new Map() });
    }
    for (const player of players) {
      await look(product.url, player);
      if (player.brought.size < forEveryone) throw new Error('A player lacks files of everyone');
    }
    const checks = await checksOf(product.url, players, { perSecond: checksPerSecond, seconds });
    const after = await residentBytes(product.pid);
    const name = `${tenants.count.toLocaleString('en')} tenants of ${tenants.people} people`;
    const growth = (what: string, ofMany: number, ofFew: number, detail: string) => ({
      what: `${what} with ${name}, against those of the demo`,
      target: percent(limits.growth),
      measured: percent(ofMany / ofFew),
      value: ofMany / ofFew,
      better: 'lower' as const,
      detail,
      met: ofMany / ofFew <= limits.growth,
    });
    return [
      {
        what: `Update checks of players of ${askers.toLocaleString('en')} tenants, ${checksPerSecond} a second, with ${name}; p99`,
        target: `${limits.p99Ms} ms`,
        measured: `${checks.latency.p99} ms`,
        value: checks.latency.p99,
        better: 'lower',
        detail: `median ${checks.latency.p50} ms, longest ${checks.latency.max} ms, ${checks.requests.average.toFixed(0)}/s for ${seconds} s; ${megabytes(after)} resident after it`,
        met: checks.latency.p99 < limits.p99Ms,
      },
      growth(
        'Start of a product',
        many.startMs,
        few.startMs,
        `${Math.round(many.startMs)} and ${Math.round(few.startMs)} ms`,
      ),
      growth(
        'Memory without requests',
        many.bytes,
        few.bytes,
        `${megabytes(many.bytes)} and ${megabytes(few.bytes)} resident`,
      ),
      growth(
        'Processor time without requests',
        many.core,
        few.core,
        `${(many.core * 100).toFixed(1)} and ${(few.core * 100).toFixed(1)} % of a core`,
      ),
    ];
  } finally {
    await product.remove();
  }
};

const codeOf = (partnerId: number) => `b-${partnerId}`;

/** As the demo's first tenant is, in the service whose database it is. */
async function insertPartners(client: Client): Promise<void> {
  await client.query('SET session_replication_role = replica');
  await client.query(
    `INSERT INTO partners SELECT made.* FROM partners demo, generate_series($1::integer, $2::integer) id,
       jsonb_populate_record(demo, jsonb_build_object('partner_id', id, 'partner_code', 'b-' || id, 'partner_code_key', 'b-' || id,
         'name', 'Bench ' || id, 'name_key', 'bench ' || id, 'name_folded', 'bench ' || id, 'change_counter', 1)) made
     WHERE demo.partner_id = 1`,
    [firstTenant, lastOf(firstTenant, 1)],
  );
  await client.query('SET session_replication_role = origin');
  await client.query('VACUUM ANALYZE');
}

const personLogin = `'person-' || (id - ${firstPerson}) % ${tenants.people}`;
const tenantOf = (first: number, each: number) => `${firstTenant} + (id - ${first}) / ${each}`;
/** A person is in one group of theirs. */
const groupOfPerson = `${firstGroup} + (id - ${firstPerson}) / ${tenants.people} * ${tenants.groups} + (id - ${firstPerson}) % ${tenants.groups}`;

async function insertUsers(client: Client, passwordHash: string): Promise<void> {
  await client.query('SET session_replication_role = replica');
  await client.query(
    `INSERT INTO groups (id, partner_id, name, name_key, note, role, created_at, updated_at)
     SELECT id, ${tenantOf(firstGroup, tenants.groups)}, 'Group ' || id, 'group ' || id, '', 0, now(), now()
     FROM generate_series($1::integer, $2::integer) id`,
    [firstGroup, lastOf(firstGroup, tenants.groups)],
  );
  await client.query(
    `INSERT INTO accounts (id, partner_id, name, name_key, login_user_id, login_user_id_key, password_hash, role, is_user,
       max_device_count_limited_flag, max_device_count, created_at, updated_at, group_marks)
     SELECT id, ${tenantOf(firstPerson, tenants.people)}, ${personLogin}, ${personLogin}, ${personLogin}, ${personLogin}, $3, 0, true,
       false, 0, now(), now(), group_marks(ARRAY[${groupOfPerson}])
     FROM generate_series($1::integer, $2::integer) id`,
    [firstPerson, lastOf(firstPerson, tenants.people), passwordHash],
  );
  await client.query(
    `INSERT INTO memberships (partner_id, group_id, account_id)
     SELECT ${tenantOf(firstPerson, tenants.people)}, ${groupOfPerson}, id FROM generate_series($1::integer, $2::integer) id`,
    [firstPerson, lastOf(firstPerson, tenants.people)],
  );
  await client.query('SET session_replication_role = origin');
  await client.query('VACUUM ANALYZE');
}

/** Files for everyone; the groups share the others. */
const forEveryone = 4;

async function insertFiles(client: Client): Promise<void> {
  await client.query('SET session_replication_role = replica');
  const groups = [firstGroup, lastOf(firstGroup, tenants.groups)];
  const people = [firstPerson, lastOf(firstPerson, tenants.people)];
  await client.query(
    `INSERT INTO groups (group_id, partner_id, name) SELECT id, ${tenantOf(firstGroup, tenants.groups)}, 'Group ' || id
     FROM generate_series($1::integer, $2::integer) id`,
    groups,
  );
  await client.query(
    `INSERT INTO audiences (id, partner_id, group_ids, people)
     SELECT id, ${tenantOf(firstGroup, tenants.groups)}, ARRAY[id], ${tenants.people / tenants.groups}
     FROM generate_series($1::integer, $2::integer) id`,
    groups,
  );
  await client.query(
    `INSERT INTO people (user_id, partner_id, name, name_folded, login_id, login_folded, audience_id)
     SELECT id, ${tenantOf(firstPerson, tenants.people)}, ${personLogin}, ${personLogin}, ${personLogin}, ${personLogin}, ${groupOfPerson}
     FROM generate_series($1::integer, $2::integer) id`,
    people,
  );
  await client.query(
    `INSERT INTO memberships (partner_id, user_id, group_id, added_in, added_at)
     SELECT ${tenantOf(firstPerson, tenants.people)}, id, ${groupOfPerson}, 1, now()
     FROM generate_series($1::integer, $2::integer) id`,
    people,
  );
  const { rows } = await client.query<{ first: number }>(
    `SELECT max(id) + 1 AS first FROM (SELECT id FROM files UNION ALL SELECT id FROM versions) used`,
  );
  const first = rows[0]?.first ?? 1;
  const files = [first, lastOf(first, tenants.files)];
  const tenant = tenantOf(first, tenants.files);
  const place = `(id - ${first}) % ${tenants.files}`;
  await client.query(
    `INSERT INTO files (id, partner_id, name, note, file_name, name_folded, note_folded, live_file_name, is_uap, version,
       current_version_id, completed_at, assigned_at, changed_in, created_at, updated_at)
     SELECT id, ${tenant}, 'Bench', '', 'Bench' || ${place} || '.uap', 'bench', '', 'bench' || ${place} || '.uap', true, 1, id,
       now(), now(), 1, now(), now() FROM generate_series($1::integer, $2::integer) id`,
    files,
  );
  await client.query(
    `INSERT INTO versions (id, partner_id, file_id, upload_id, slot, status, unattended, size, object_key, incoming_key, sha256,
       opened_at, urls_expire_at, number, live_from)
     SELECT id, ${tenant}, id, gen_random_uuid(), 'current', 'complete', false, 10, 'a/' || id, 'b/' || id, repeat('0', 64),
       now(), now(), 1, now() FROM generate_series($1::integer, $2::integer) id`,
    files,
  );
  await client.query(
    `INSERT INTO assignments (partner_id, file_id, group_id, added_in, announced, added_at)
     SELECT ${tenant}, id, CASE WHEN ${place} < ${forEveryone} THEN 0
         ELSE ${firstGroup} + (id - ${first}) / ${tenants.files} * ${tenants.groups} + ${place} % ${tenants.groups} END, 1, true, now()
     FROM generate_series($1::integer, $2::integer) id`,
    files,
  );
  await client.query(
    `SELECT setval(pg_get_serial_sequence(name, 'id'), $1) FROM unnest(ARRAY['files', 'versions']) name`,
    [files[1]],
  );
  await client.query('SET session_replication_role = origin');
  await client.query('VACUUM ANALYZE');
}
