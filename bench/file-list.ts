import { fileRoutes, fromWire, type RouteRequest } from '@portal/contracts';
import { type Product, startProduct } from '@portal/testing/product';
import type { Client } from 'pg';
import type { Benchmark } from './support/figure.ts';
import { type ListAnswer, measureListPages } from './support/list-pages.ts';
import type { Probe } from './support/probe.ts';
import { withDatabase } from './support/product-database.ts';
import { companyAdmin, signIn } from './support/session.ts';
import { sizeOr } from './support/size.ts';

const fileCount = sizeOr(100_000);
const perPage = 100;
const limitMs = 150;

const { listFiles } = fileRoutes;
type Query = RouteRequest<typeof listFiles>['query'];

const spring = '2026-03-01T00:00:00Z';
const summer = '2026-06-01T00:00:00Z';

/** Every filter of the contract, alone and together; each lets hundreds or thousands of files pass. */
const filters: Record<string, Query> = {
  none: {},
  name: { name: 'tour' },
  rareName: { name: 'Handbook 7' },
  note: { note: 'ノート' },
  createdAt: { createdAtStart: spring, createdAtEnd: summer },
  updatedAt: { updatedAtStart: spring, updatedAtEnd: summer },
  deliverReservationAt: { deliverReservationAtStart: spring, deliverReservationAtEnd: summer },
  updateReservationAt: { updateReservationAtStart: spring, updateReservationAtEnd: summer },
  together: { name: 'o', note: 'note', createdAtStart: spring, updatedAtEnd: summer },
};

/** The file list over HTTP in a tenant with 100,000 files: every filter, order key and direction; first, middle and last page. */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn' });
  try {
    await withDatabase(product, 'portal_file', async (client) => insertFiles(client));
    const list = await listOf(product);
    const figure = await measureListPages({
      what: `File list of a tenant with ${fileCount.toLocaleString('en')} files`,
      ...{ limitMs, perPage, filters, list },
      orderKeys: listFiles.query.shape.orderKey.unwrap().options,
    });
    const title = 'A page of the files of a company, any filter and order: p95';
    return [{ ...figure, growth: { title, unit: 'ms', value: figure.value } }];
  } finally {
    await product.remove();
  }
};

/** How long the first pages of the list take, by each filter. */
export const probe: Probe = {
  what: 'File list of a tenant with 20,000 files, the first page by each filter; mean',
  better: 'lower',
  async prepare(product) {
    await withDatabase(product, 'portal_file', async (client) => insertFiles(client, 20_000));
    const list = await listOf(product);
    const measure = async () => {
      let ms = 0;
      for (const filter of Object.values(filters)) {
        for (const order of ['asc', 'desc'] as const) {
          ms += (await list({ ...filter, orderKey: 'createdAt', order, page: 1 })).ms;
        }
      }
      return ms / (2 * Object.keys(filters).length);
    };
    for (let round = 0; round < 5; round += 1) await measure();
    return measure;
  },
};

/** What asks for a page of the list as an administrator of the company. */
async function listOf({ url }: Product): Promise<(query: Query) => Promise<ListAnswer>> {
  const { api } = await signIn(url, companyAdmin);
  return async (query) => {
    const begun = performance.now();
    const answer = await api.send(listFiles, {
      params: { pid: companyAdmin.partnerId },
      query: { ...query, perPage },
    });
    const text = await answer.text();
    const ms = performance.now() - begun;
    const reply = listFiles.response.parse(fromWire(listFiles.response)(JSON.parse(text)));
    if (!('totalPage' in reply) || reply.totalCount === 0) {
      throw new Error(`No files for ${JSON.stringify(query)}`);
    }
    return { ms, totalPage: reply.totalPage };
  };
}

/**
 * Files of the first company of the demo over a year, with every kind of text and time: a third and a quarter of them with
 * reservations, one version each, every tenth for everyone.
 */
export async function insertFiles(client: Client, count = fileCount): Promise<void> {
  const values = [companyAdmin.partnerId, count];
  await client.query(
    `INSERT INTO files (partner_id, name, note, file_name, name_folded, note_folded, live_file_name, is_uap, version,
       current_version_id, completed_at, deliver_reservation_at, update_reservation_at, changed_in, created_at, updated_at)
     SELECT $1, name, note, file_name, lower(name), lower(note), lower(file_name), true, 1, nextval('versions_id_seq'), at,
       CASE WHEN i % 3 = 0 THEN at + interval '5 hours' END, CASE WHEN i % 4 = 0 THEN at + interval '9 hours' END,
       1, at, at + (i * 7 % 50) * interval '1 hour'
     FROM (SELECT i, (ARRAY['Tour', 'Grand tour', 'Handbook', '営業ツアー', 'A_b'])[1 + i % 5] || ' ' || i::bigint * 7919 % $2 AS name,
         (ARRAY['', 'A note', 'ノート'])[1 + i % 3] AS note, 'Bench' || i || '.uap' AS file_name,
         timestamptz '2026-01-01' + (i::bigint * 7907 % 8760) * interval '1 hour' AS at
       FROM generate_series(1, $2::integer) i) made`,
    values,
  );
  await client.query(
    `INSERT INTO versions (id, partner_id, file_id, upload_id, slot, status, unattended, size, object_key, incoming_key, sha256,
       opened_at, urls_expire_at)
     SELECT current_version_id, partner_id, id, gen_random_uuid(), 'current', 'complete', false, 10, 'a/' || id, 'b/' || id,
       repeat('0', 64), created_at, created_at
     FROM files WHERE partner_id = $1 AND file_name LIKE 'Bench%'`,
    [companyAdmin.partnerId],
  );
  await client.query(
    `INSERT INTO assignments (partner_id, file_id, group_id, added_in, announced)
     SELECT partner_id, id, 0, 1, true FROM files WHERE partner_id = $1 AND id % 10 = 0 AND file_name LIKE 'Bench%'`,
    [companyAdmin.partnerId],
  );
  await client.query('VACUUM ANALYZE');
}
