import { deliveryRoutes, formatDateTime } from '@portal/contracts';
import { freePort, startProduct } from '@portal/testing/product';
import { projectNode } from '@portal/testing/project';
import autocannon from 'autocannon';
import type { Client } from 'pg';
import { type Benchmark, median, percent } from './support/figure.ts';
import type { Probe } from './support/probe.ts';
import { endProgram, startProgram } from './support/processes.ts';
import { superuserUrl, withDatabase } from './support/product-database.ts';
import { inTurns } from './support/request-rate.ts';
import { companyAdmin, signIn } from './support/session.ts';

const devices = 128;
const fileCount = 3_000;
const rounds = 3;
/** Of one turn of one side. */
const seconds = 5;
const leastShare = 0.4;
const leastRate = 2_000;
const steps = ['downloading', 'downloaded', 'installed'] as const;

/** What players tell, one receipt a call, each of which counts: through the gateway, against a bare route with batched inserts. */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn', RATE_LIMIT: 'off' });
  const barePort = await freePort();
  try {
    const fileIds = await withDatabase(product, 'portal_file', insertFiles);
    const tokens = await signInDevices(product.url, devices);
    const url = await superuserUrl(product, 'portal_file');
    const bare = await startProgram(projectNode, ['bench/support/bare-receipts.ts', String(barePort), url]);
    const rate = receiptLoad({ fileIds, tokens });
    try {
      const ours = async (duration: number) => rate(product.url, duration, devices);
      const raw = async (duration: number) => rate(`http://127.0.0.1:${barePort}`, duration, devices);
      await inTurns(
        () => ours(2),
        () => raw(2),
        1,
      );
      const rates = await inTurns(
        () => ours(seconds),
        () => raw(seconds),
        rounds,
      );
      const own = median(rates.ours);
      const ratio = own / median(rates.raw);
      const detail = `${Math.round(own)} and ${Math.round(median(rates.raw))} receipts/s`;
      return [
        {
          what: 'Receipts taken in one by one, against a bare route that inserts them in batches',
          target: percent(leastShare),
          measured: percent(ratio),
          value: ratio,
          better: 'higher',
          detail,
          met: ratio >= leastShare,
        },
        {
          what: 'Receipts taken in one by one',
          target: `${leastRate}/s`,
          measured: `${Math.round(own)}/s`,
          value: own,
          better: 'higher',
          detail,
          met: own >= leastRate,
        },
      ];
    } finally {
      await endProgram(bare);
    }
  } finally {
    await product.remove();
  }
};

/** How many are taken in in a second. */
export const probe: Probe = {
  what: 'Receipts taken in one by one, each second',
  better: 'higher',
  async prepare(product) {
    const fileIds = await withDatabase(product, 'portal_file', insertFiles);
    const rate = receiptLoad({ fileIds, tokens: await signInDevices(product.url, devices) });
    await rate(product.url, 3, devices);
    return async () => rate(product.url, 1, devices);
  },
};

/** The tokens of so many devices of one player. */
export async function signInDevices(url: string, count: number): Promise<string[]> {
  const tokens: string[] = [];
  for (let n = 0; n < count; n += 1) {
    tokens.push((await signIn(url, { partnerCode: '1000', user: 'taro', device: `bench-${n}` })).token);
  }
  return tokens;
}

/**
 * Answers how many receipts a second one takes in of so many devices, each of which tells one after the other. A run goes on where the
 * one before it stopped, or its receipts would be repeats.
 */
export function receiptLoad({
  fileIds,
  tokens,
}: {
  readonly fileIds: readonly number[];
  readonly tokens: readonly string[];
}): (origin: string, seconds: number, connections: number) => Promise<number> {
  const told = new Map<string, number[]>();
  return async (origin, duration, connections) => {
    const places = told.get(origin) ?? tokens.map(() => 0);
    told.set(origin, places);
    let connection = 0;
    const result = await autocannon({
      url: origin,
      connections,
      duration,
      setupClient(client) {
        const device = connection++ % tokens.length;
        const next = () => {
          const place = places[device] ?? 0;
          places[device] = place + 1;
          const id = fileIds[Math.floor(place / steps.length) % fileIds.length];
          return {
            method: 'PUT' as const,
            path: deliveryRoutes.sendReceipt.path.replace(':id', String(id)),
            headers: {
              authorization: `Bearer ${tokens[device]}`,
              'x-agent': 'bench/1.0.0',
              'content-type': 'application/json',
            },
            body: JSON.stringify({
              version: 1,
              status: steps[place % steps.length],
              at: formatDateTime(new Date()),
            }),
          };
        };
        client.setRequests([{ ...next(), setupRequest: (request) => ({ ...request, ...next() }) }]);
      },
    });
    if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx + result.errors} failed`);
    return result.requests.average;
  };
}

/** Files that everyone gets, one version each. */
export async function insertFiles(client: Client): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO files (partner_id, name, note, file_name, name_folded, note_folded, live_file_name, is_uap, version,
       current_version_id, completed_at, assigned_at, changed_in, created_at, updated_at)
     SELECT $1, 'Bench', '', 'Bench' || i || '.uap', 'bench', '', 'bench' || i || '.uap', true, 1, nextval('versions_id_seq'), now(),
       now(), 1, now(), now()
     FROM generate_series(1, $2::integer) i RETURNING id`,
    [companyAdmin.partnerId, fileCount],
  );
  const ids = rows.map(({ id }) => id);
  await client.query(
    `INSERT INTO versions (id, partner_id, file_id, upload_id, slot, status, unattended, size, object_key, incoming_key, sha256,
       opened_at, urls_expire_at)
     SELECT current_version_id, partner_id, id, gen_random_uuid(), 'current', 'complete', false, 10, 'a/' || id, 'b/' || id,
       repeat('0', 64), created_at, created_at
     FROM files WHERE id = ANY ($1)`,
    [ids],
  );
  await client.query(
    `INSERT INTO assignments (partner_id, file_id, group_id, added_in, announced)
     SELECT partner_id, id, 0, 1, true FROM files WHERE id = ANY ($1)`,
    [ids],
  );
  await client.query('VACUUM ANALYZE');
  return ids;
}
