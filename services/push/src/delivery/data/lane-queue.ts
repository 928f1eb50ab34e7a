import { leaseQueue } from '@portal/service-kit';
import type { PushDb } from '../../data/db.ts';

/**
 * Who sends the pages of a tenant. A tenant has few lanes, however much it sends, and each page is a turn of one: so all tenants
 * progress, and all instances share what one tenant sends.
 */
export const laneQueue = leaseQueue<{ readonly lane: number }>('send-notifications');

/** More than an instance works on at a time, so that there are some for the others. */
const lanesOfTenant = 6;

/** Held while pages come or lanes end: no page is left without a lane. */
export async function lockLanes(db: PushDb, partnerId: number): Promise<void> {
  await db.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended('lanes of ' || ${partnerId}::integer, 0))::text`;
}

/**
 * Has lanes work on so many pages; under `lockLanes`. Those that are there are left alone: to add one again would wait for what it
 * is at, which may wait for the caller.
 */
export async function openLanes(db: PushDb, partnerId: number, pages: number, now: Date): Promise<void> {
  const lanes = Array.from({ length: Math.min(pages, lanesOfTenant) }, (_, lane) => ({
    id: `${partnerId}-${lane}`,
    partnerId,
    payload: { lane },
  }));
  const open = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM messaging.task WHERE queue = ${laneQueue.name} AND id = ANY (${lanes.map(({ id }) => id)}::text[])`;
  const isOpen = new Set(open.map(({ id }) => id));
  const missing = lanes.filter(({ id }) => !isOpen.has(id));
  if (missing.length > 0) await laneQueue.add(db, missing, now);
}
