import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type PushServiceName, pushRoutes } from '@portal/contracts';
import { createKeyCipher } from '@portal/service-kit';
import { type Product, startProduct } from '@portal/testing/product';
import { z } from 'zod';
import { pushContent } from './bare-push.ts';
import { withDatabase } from './product-database.ts';
import { companyAdmin, signIn } from './session.ts';

const { partnerId } = companyAdmin;
const text = z.string();
const ready = z.object({
  ca: text,
  apnsUrl: text,
  fcmUrl: text,
  account: z.looseObject({ client_email: text, private_key: text, token_uri: text }),
  app: z.object({ certificate: text, privateKey: text }),
});
type Providers = z.output<typeof ready> & { readonly child: ChildProcess };

/** A product that sends to servers in a process of their own, and a tenant with a certificate for both. */
export interface PushBench {
  readonly product: Product;
  readonly providers: Providers;
  /** Registers devices of a service in place of all others. */
  register(service: PushServiceName, count: number): Promise<void>;
  /** Has a notification go to all, at once or at a time. Answers its id. */
  notify(dueAt?: Date): Promise<number>;
  /** Waits for its end; `look` is called now and then meanwhile. Answers how long it took. */
  ended(id: number, look?: () => Promise<void>): Promise<{ seconds: number; success: number }>;
  remove(): Promise<void>;
}

export async function startPushBench(env: Readonly<Record<string, string>> = {}): Promise<PushBench> {
  const directory = await mkdtemp(join(tmpdir(), 'portal-push-bench-'));
  const child = fork(fileURLToPath(new URL('push-providers.ts', import.meta.url)));
  const [told] = await once(child, 'message');
  const providers = { ...ready.parse(told), child };
  const caFile = join(directory, 'ca.pem');
  await writeFile(caFile, providers.ca);
  const product = await startProduct({
    LOG_LEVEL: 'warn',
    RATE_LIMIT: 'off',
    PUSH_FCM_URL: providers.fcmUrl,
    PUSH_APNS_URL: providers.apnsUrl,
    PUSH_CA_FILE: caFile,
    ...env,
  });
  const { api } = await signIn(product.url, companyAdmin);
  const params = { pid: partnerId };
  const certification = await api.call(pushRoutes.createCertification, {
    params,
    body: {
      name: 'Bench',
      apiKey: JSON.stringify(providers.account),
      certificationFileName: 'bench.p12',
      ...providers.app,
    },
  });
  const { keyEncryptionKey } = z
    .object({ keyEncryptionKey: text })
    .parse(JSON.parse(await readFile(join(product.dataDir, 'secrets.json'), 'utf8')));
  const cipher = createKeyCipher(Buffer.from(keyEncryptionKey, 'base64'));

  return {
    product,
    providers,
    async register(service, count) {
      await withDatabase(product, 'portal_push', async (client) => {
        await client.query('DELETE FROM devices WHERE partner_id = $1', [partnerId]);
        await client.query('DELETE FROM people WHERE partner_id = $1 AND user_id >= $2', [
          partnerId,
          firstUserId,
        ]);
        const atOnce = 20_000;
        for (let from = 0; from < count; from += atOnce) {
          const rows = Array.from({ length: Math.min(atOnce, count - from) }, (_, n) => {
            const id = firstUserId + from + n;
            const token = id.toString(16).padStart(64, '0');
            const uuid = `bench-${id}`;
            return {
              id,
              uuid,
              token: cipher.seal(token, `push token of ${partnerId} ${uuid}`).toString('hex'),
            };
          });
          await client.query(
            `INSERT INTO devices (partner_id, uuid, user_id, registration, service, number, token, token_hash)
             SELECT $1::integer, uuid, id, 1, $3, id, decode(token, 'hex'), sha256((uuid || $3)::bytea)
             FROM jsonb_to_recordset($2::jsonb) AS one (id integer, uuid text, token text)`,
            [partnerId, JSON.stringify(rows), service],
          );
        }
        // After their devices: all are counted in one go.
        await client.query(
          `INSERT INTO people (user_id, partner_id, login_id, is_user, devices)
           SELECT id, $1::integer, 'bench-' || id, true, 1 FROM generate_series($2::integer, $3::integer) AS id`,
          [partnerId, firstUserId, firstUserId + count - 1],
        );
        await client.query('VACUUM ANALYZE');
      });
    },
    async notify(dueAt) {
      const body = {
        ...pushContent,
        certificationId: certification.id,
        // Of whole seconds.
        ...(dueAt && { deliverDatetime: dueAt.toISOString().replace(/\.\d+Z$/, 'Z') }),
      };
      return (await api.call(pushRoutes.createNotification, { params, body })).id;
    },
    async ended(id, look) {
      for (;;) {
        const [row] = await withDatabase(product, 'portal_push', async (client) => {
          const { rows } = await client.query<{ status: string; success: number; seconds: number }>(
            `SELECT status, success_count AS success, extract(epoch FROM finished_at - started_at)::float AS seconds
             FROM notifications WHERE id = $1`,
            [id],
          );
          return rows;
        });
        if (row && row.status !== 'waiting' && row.status !== 'delivering') return row;
        await look?.();
        await sleep(500);
      }
    },
    async remove() {
      await product.remove();
      child.disconnect();
      await rm(directory, { recursive: true });
    },
  };
}

/** No other user of the product has such an id. */
const firstUserId = 20_000_001;
