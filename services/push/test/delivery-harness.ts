import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pushRoutes, tenantEvents } from '@portal/contracts';
import {
  type Authority,
  type Conduct,
  createAuthority,
  type FcmServer,
  type Listener,
  startApnsServer,
  startFcmServer,
  type TakenPush,
} from '@portal/push-stand-in';
import { createKeyCipher } from '@portal/service-kit';
import { partnerActor, type ServiceHarness, startServiceHarness } from '@portal/testing';
import { expect } from 'vitest';
import { tokenHashOf } from '../src/devices/data/device-repository.ts';
import { pushService } from '../src/service.ts';

/** Servers of both providers, and what they take. */
export interface Providers {
  readonly authority: Authority;
  readonly fcm: FcmServer;
  readonly apns: Listener;
  readonly taken: TakenPush[];
  /** What they do instead of taking a push; undefined: they take it. */
  conduct: ((push: TakenPush) => Conduct | undefined | Promise<Conduct | undefined>) | undefined;
  /** The settings of a service that sends to them. */
  readonly env: Record<string, string>;
  close(): Promise<void>;
}

export async function startProviders(): Promise<Providers> {
  const authority = await createAuthority();
  const taken: TakenPush[] = [];
  const directory = await mkdtemp(join(tmpdir(), 'portal-push-'));
  const caFile = join(directory, 'ca.pem');
  await writeFile(caFile, authority.certificate);
  const options = {
    authority,
    onPush: (push: TakenPush) => void taken.push(push),
    conduct: (push: TakenPush) => providers.conduct?.(push),
  };
  const fcm = await startFcmServer(options);
  const apns = await startApnsServer(options);
  const providers: Providers = {
    authority,
    fcm,
    apns,
    taken,
    conduct: undefined,
    env: { PUSH_FCM_URL: fcm.url, PUSH_APNS_URL: apns.url, PUSH_CA_FILE: caFile },
    async close() {
      await Promise.all([fcm.close(), apns.close()]);
      await rm(directory, { recursive: true });
    },
  };
  return providers;
}

export interface TestDevice {
  readonly userId: number;
  readonly uuid: string;
  readonly service: 'apns' | 'fcm';
  readonly token: string;
}

export interface DeliveryHarness extends ServiceHarness {
  readonly providers: Providers;
  /** A partner with a certificate for both providers. */
  partner(
    options?: Partial<typeof tenantEvents.partnerCreated.example> & {
      readonly certifies?: 'both' | 'android' | 'nothing';
    },
  ): Promise<DeliveryPartner>;
}

export interface DeliveryPartner {
  readonly id: number;
  readonly certificationId: number | null;
  /** Users with one device each, of both services in turn, in these groups. */
  people(count: number, options?: { groupIds?: number[]; service?: 'apns' | 'fcm' }): Promise<TestDevice[]>;
  /** Has a notification wait for its time; without one it is due now. */
  notify(options?: NotificationOptions): Promise<number>;
  state(id: number): Promise<NotificationState>;
}

interface NotificationOptions {
  readonly groupIds?: number[];
  readonly userIds?: number[];
  readonly dueAt?: Date;
  /** The file that it tells of. */
  readonly fileId?: number | null;
  readonly title?: string | null;
  readonly json?: string | null;
}

interface NotificationState {
  readonly status: string;
  readonly target: number;
  readonly success: number;
  readonly failure: number;
  readonly reasons: { reason: string; count: number }[];
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

let users = 0;

export async function startDeliveryHarness(): Promise<DeliveryHarness> {
  const providers = await startProviders();
  const key = randomBytes(32);
  const harness = await startServiceHarness(pushService, {
    env: { ...providers.env, KEY_ENCRYPTION_KEY: key.toString('base64') },
  });
  let partners = 0;
  return {
    ...harness,
    providers,
    async partner({ certifies = 'both', ...more } = {}) {
      partners += 1;
      const id = partners;
      await harness.deliver(tenantEvents.partnerCreated, {
        subject: id,
        partnerId: id,
        data: { ...tenantEvents.partnerCreated.example, licenseExpiredOn: null, partnerId: id, ...more },
      });
      const certificationId =
        certifies === 'nothing' ? null : await certify(harness, providers, id, certifies);
      return { ...partnerOf(harness, { id, certificationId, key }) };
    },
    async stop() {
      await harness.stop();
      await providers.close();
    },
  };
}

async function certify(
  harness: ServiceHarness,
  { authority, fcm }: Providers,
  pid: number,
  what: 'both' | 'android',
): Promise<number> {
  const apiKey = JSON.stringify(await fcm.addAccount('demo'));
  const app = await authority.forApp('com.example.app');
  const body = {
    name: `App ${pid}`,
    apiKey,
    ...(what === 'both' && { certificationFileName: 'app.p12', ...app }),
  };
  const made = await harness.call(
    pushRoutes.createCertification,
    { params: { pid }, body },
    partnerActor({ partnerId: pid }),
  );
  expect(made.status).toBe(201);
  return made.body.id;
}

type Sql = Pick<ServiceHarness, 'sql'> & { readonly clock: { now(): Date } };

/** A partner whose rows stand in the database that `sql` reaches. */
export function partnerOf(
  { clock, sql }: Sql,
  { certificationId, id, key }: { id: number; certificationId: number | null; key: Buffer },
): DeliveryPartner {
  const cipher = createKeyCipher(key);
  return {
    id,
    certificationId,
    async people(count, { groupIds = [], service } = {}) {
      const devices = Array.from({ length: count }, (_, n) => {
        users += 1;
        return {
          userId: users,
          uuid: `device-${users}`,
          service: service ?? (n % 2 === 0 ? ('fcm' as const) : ('apns' as const)),
          token: users.toString(16).padStart(64, '0'),
        };
      });
      for (let from = 0; from < count; from += 10_000) {
        const rows = JSON.stringify(
          devices.slice(from, from + 10_000).map(({ token, ...device }) => ({
            ...device,
            hash: tokenHashOf(device.service, token).toString('hex'),
            sealed: cipher.seal(token, `push token of ${id} ${device.uuid}`).toString('hex'),
          })),
        );
        await sql(
          `INSERT INTO people (user_id, partner_id, login_id, is_user)
           SELECT "userId", $2, 'user-' || "userId", true FROM jsonb_to_recordset($1::jsonb) AS one ("userId" integer)`,
          rows,
          id,
        );
        await sql(
          `INSERT INTO memberships (partner_id, group_id, user_id)
           SELECT $2, of_group, "userId" FROM jsonb_to_recordset($1::jsonb) AS one ("userId" integer), unnest($3::integer[]) AS of_group`,
          rows,
          id,
          groupIds,
        );
        await sql(
          `INSERT INTO devices (partner_id, uuid, user_id, registration, service, number, token, token_hash)
           SELECT $2, uuid, "userId", 1, service, "userId", decode(sealed, 'hex'), decode(hash, 'hex')
           FROM jsonb_to_recordset($1::jsonb) AS one ("userId" integer, uuid text, service text, sealed text, hash text)`,
          rows,
          id,
        );
      }
      return devices;
    },

    async notify({ dueAt, fileId = null, groupIds = [], json = null, title = 'Title', userIds = [] } = {}) {
      const now = clock.now();
      const due = dueAt ?? now;
      const target = groupIds.length > 0 ? 'groups' : userIds.length > 0 ? 'users' : 'all';
      const [made] = await sql<{ id: number }>(
        `WITH made AS (
           INSERT INTO notifications (partner_id, title, title_key, message, json, certification_id, target, group_ids, user_ids,
             status, deliver_datetime, due_at, created_at, updated_at, file_id)
           VALUES ($1, $2, lower(coalesce($2, '')), 'Message', $3, $4, $5, $6, $7, 'waiting', $8, $8, $9, $9, $10) RETURNING id),
         task AS (
           INSERT INTO messaging.task (queue, id, partner_id, payload, added_at, due_at)
           SELECT 'begin-notifications', id, $1, 'null', $9, $8 FROM made)
         SELECT id FROM made`,
        id,
        title,
        json,
        certificationId,
        target,
        groupIds,
        userIds,
        due,
        now,
        fileId,
      );
      if (!made) throw new Error('No notification');
      return made.id;
    },

    async state(of) {
      const [state] = await sql<NotificationState>(
        `SELECT status, target_count AS target, success_count AS success, failure_count AS failure,
           failure_reasons AS reasons, started_at AS "startedAt", finished_at AS "finishedAt"
         FROM notifications WHERE id = $1`,
        of,
      );
      if (!state) throw new Error('No such notification');
      return state;
    },
  };
}
