import type { ApiClient } from '@portal/api-client';
import { fileRoutes, userRoutes } from '@portal/contracts';
import { startProduct } from '@portal/testing/product';
import type { Client } from 'pg';
import { type Benchmark, median, megabytes } from './support/figure.ts';
import { checksOf, look, type Player } from './support/players.ts';
import { residentBytes } from './support/processes.ts';
import { withDatabase } from './support/product-database.ts';
import { companyAdmin, demoPassword, signIn } from './support/session.ts';
import { sizeOr } from './support/size.ts';

const people = sizeOr(1_000_000);
const tenant = { people, groups: people / 20, files: Math.max(100, people / 100), forEveryone: 20 };
/** A million players that look every half an hour. */
const checksPerSecond = 556;
const minutes = Number(process.env['BENCH_MINUTES'] ?? 10);
/** Who asks in the place of all; each is in another group. */
const askers = 50;
const limitMs = 50;
const flatBytes = 30e6;
const sampleMs = 5_000;
const firstLooksSeconds = 30;
const { partnerCode, partnerId: pid } = companyAdmin;

/**
 * Update checks in a tenant of a million players, at the rate of all of them, for ten minutes; then a file is delivered to everyone.
 */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn', RATE_LIMIT: 'off' });
  try {
    const { api } = await signIn(product.url, companyAdmin);
    const players = await makePlayers(product.url, api);
    await withDatabase(product, 'portal_file', insertTenant);
    const fileId = await makeFile(api);
    for (const player of players) await look(product.url, player);
    for (const { brought } of players) brought.clear();

    const memory: number[] = [];
    const sampling = setInterval(() => {
      residentBytes(product.pid).then(
        (bytes) => memory.push(bytes),
        () => undefined,
      );
    }, sampleMs);
    const result = await checksOf(product.url, players, {
      perSecond: checksPerSecond,
      seconds: minutes * 60,
    });
    clearInterval(sampling);
    await api.call(fileRoutes.assignGroups, { params: { pid, id: fileId }, body: { groupIds: [0] } });
    // None of them goes on from its answer: each look is as the first one of another player.
    const cursors = players.map(({ cursor }) => cursor);
    const first = { perSecond: checksPerSecond, seconds: firstLooksSeconds };
    const after = await checksOf(product.url, players, first, (player, place) => {
      player.cursor = cursors[place] ?? '';
    });
    const perMinute = 60_000 / sampleMs;
    // The first minute warms up.
    const rise = median(memory.slice(-perMinute)) - median(memory.slice(perMinute, 2 * perMinute));
    const waits = players.flatMap(({ brought }) => brought.get(fileId) ?? []);
    const longest = Math.max(0, ...waits);
    return [
      {
        what: `Update checks of ${tenant.people.toLocaleString('en')} players of a tenant, ${checksPerSecond} a second for ${minutes} minutes; p99`,
        target: `${limitMs} ms`,
        measured: `${result.latency.p99} ms`,
        value: result.latency.p99,
        better: 'lower',
        detail:
          `median ${result.latency.p50} ms, longest ${result.latency.max} ms, ${result.requests.average.toFixed(0)}/s; ` +
          `${tenant.files} files, ${tenant.groups} groups, ${askers} of the players ask`,
        met: result.latency.p99 < limitMs,
        growth: {
          title: 'Update checks in a company, 556 a second: p99',
          unit: 'ms',
          value: result.latency.p99,
        },
      },
      {
        what: 'Memory of the product from the second minute to the last',
        target: megabytes(flatBytes),
        measured: megabytes(Math.max(0, rise)),
        value: rise,
        better: 'lower',
        detail: `resident: ${memory
          .filter((_, n) => n % perMinute === 0)
          .map(megabytes)
          .join(', ')}`,
        met: rise < flatBytes,
      },
      {
        what: 'Players whose next look brings a file that is delivered to everyone',
        target: `${askers}`,
        measured: `${waits.length}`,
        value: waits.length,
        better: 'higher',
        detail:
          `each waits up to ${longest} s before the download: 500 of ${tenant.people.toLocaleString('en')} begin in a second; ` +
          `of ${after.requests.total} players who look for the first time after it, the median waits ${after.latency.p50} ms, p99 ${after.latency.p99} ms`,
        met: waits.length === askers && longest > 0.9 * (tenant.people / 500),
      },
    ];
  } finally {
    await product.remove();
  }
};

async function makePlayers(url: string, api: ApiClient): Promise<Player[]> {
  const players: Player[] = [];
  for (let n = 0; n < askers; n += 1) {
    const loginUserId = `bench-${n}`;
    const { id } = await api.call(userRoutes.createGroup, { params: { pid }, body: { name: loginUserId } });
    const body = { name: loginUserId, loginUserId, password: demoPassword, groupIds: [id] };
    await api.call(userRoutes.createUser, { params: { pid }, body });
    const { token } = await signIn(url, { partnerCode, user: loginUserId, device: loginUserId });
    players.push({ token, cursor: '', brought: new Map() });
  }
  return players;
}

async function makeFile(api: ApiClient): Promise<number> {
  const body = { name: 'News', fileName: 'news.uap', fileSize: 4 };
  const opened = await api.call(fileRoutes.createFile, { params: { pid }, body });
  await fetch(opened.signedUrl, { method: 'PUT', body: 'news' });
  await api.call(fileRoutes.completeUpload, { params: { uploadId: opened.uploadId }, body: {} });
  return opened.id;
}

/** Triggers would count each row; here all are counted at once. */
async function insertTenant(client: Client): Promise<void> {
  const { files, forEveryone, groups, people } = tenant;
  await client.query(`SET session_replication_role = replica; SET maintenance_work_mem = '512MB'`);
  const firstGroup = 9_000_000;
  const firstPerson = 9_000_000;
  await client.query(
    `INSERT INTO groups (group_id, partner_id, name) SELECT $1 + i, $2, 'Bench ' || i FROM generate_series(0, $3::integer - 1) i`,
    [firstGroup, pid, groups],
  );
  await client.query(
    `INSERT INTO audiences (partner_id, group_ids, people, devices)
     SELECT $2, ARRAY[$1::integer + i], $3::integer / $4::integer, $3::integer / $4::integer FROM generate_series(0, $4::integer - 1) i`,
    [firstGroup, pid, people, groups],
  );
  await client.query(
    `INSERT INTO people (user_id, partner_id, name, name_folded, login_id, login_folded, audience_id, places)
     SELECT $1 + i, $2, 'Person ' || i, 'person ' || i, 'person-' || i, 'person-' || i, audience.id, ARRAY[place_of('bench-' || i)]
     FROM generate_series(0, $3::integer - 1) i
     JOIN audiences audience ON audience.partner_id = $2 AND audience.group_ids = ARRAY[$4::integer + i % $5::integer]`,
    [firstPerson, pid, people, firstGroup, groups],
  );
  await client.query(
    `INSERT INTO devices (partner_id, uuid, user_id, name, name_folded, os_type, os_version, player_version, user_folded, login_folded,
       audience_id, place)
     SELECT partner_id, 'bench-' || user_id, user_id, 'Tablet', 'tablet', 'ios', '19.1', '5.0.1', name_folded, login_folded,
       audience_id, places[1]
     FROM people WHERE user_id >= $1`,
    [firstPerson],
  );
  await client.query(
    `INSERT INTO memberships (partner_id, user_id, group_id, added_in, added_at)
     SELECT $2, $1 + i, $4 + i % $5::integer, 1, now() FROM generate_series(0, $3::integer - 1) i`,
    [firstPerson, pid, people, firstGroup, groups],
  );
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO files (partner_id, name, note, file_name, name_folded, note_folded, live_file_name, is_uap, version,
       current_version_id, completed_at, assigned_at, changed_in, created_at, updated_at)
     SELECT $1, 'Bench', '', 'Bench' || i || '.uap', 'bench', '', 'bench' || i || '.uap', true, 1, nextval('versions_id_seq'),
       timestamptz '2026-01-01', now(), 1, timestamptz '2026-01-01', timestamptz '2026-01-01'
     FROM generate_series(1, $2::integer) i RETURNING id`,
    [pid, files],
  );
  const ids = rows.map(({ id }) => id);
  await client.query(
    `INSERT INTO versions (id, partner_id, file_id, upload_id, slot, status, unattended, size, object_key, incoming_key, sha256,
       opened_at, urls_expire_at, number, live_from)
     SELECT current_version_id, partner_id, id, gen_random_uuid(), 'current', 'complete', false, 10, 'a/' || id, 'b/' || id,
       repeat('0', 64), created_at, created_at, 1, created_at
     FROM files WHERE id = ANY ($1)`,
    [ids],
  );
  await client.query(
    `INSERT INTO assignments (partner_id, file_id, group_id, added_in, announced, added_at)
     SELECT $1, id, CASE WHEN place <= $3 THEN 0 ELSE $4 + (place * 5 + other) % $5 END, 1, true, now()
     FROM unnest($2::integer[]) WITH ORDINALITY AS one (id, place), generate_series(0, 4) other
     WHERE place > $3 OR other = 0`,
    [pid, ids, forEveryone, firstGroup, groups],
  );
  await client.query(`SET session_replication_role = origin`);
  await client.query('VACUUM ANALYZE');
}
