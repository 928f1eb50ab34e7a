import type { RawQueries } from '@portal/database';
import { operator } from '@portal/storage';
import type { FileDb } from '../../data/db.ts';
import { type ReceiptStatus, receiptStatuses, type Step } from '../domain/steps.ts';

/** Whose a device is, by the token that it shows. */
export interface DeviceOfToken {
  readonly userId: number;
  readonly uuid: string;
}

/** A version that was shown to a device (`step` is null) or of which it told. */
export interface Early extends DeviceOfToken {
  readonly fileId: number;
  readonly version: number;
  readonly at: Date;
  readonly step: Step | null;
}

/** Keeps what came of devices that no event has told of yet. `lockDelivery` is to be held since they were looked up. */
export async function keepEarly(
  db: RawQueries,
  partnerId: number,
  early: readonly Early[],
  receivedAt: Date,
): Promise<void> {
  if (early.length === 0) return;
  const rows = early.map(({ step, ...one }, index) => ({
    ...step,
    ...one,
    index,
    status: step?.status ?? 'seen',
  }));
  await db.$executeRaw`
    INSERT INTO early_receipts (partner_id, user_id, uuid, file_id, version, status, reason, progress, at, told_by, received_at)
    SELECT ${partnerId}::integer, "userId", uuid, "fileId", version, status, reason, progress, at, "toldBy", ${receivedAt}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS one (index integer, "userId" integer, uuid text, "fileId" integer,
      version integer, status text, reason text, progress double precision, at timestamptz, "toldBy" text)
    ORDER BY index`;
}

/**
 * Whose changes it may be what is kept of a device that was told, rather than shown: of the tenant and, where it is of an application
 * in stages, of the operator, in the order in which everybody takes their locks.
 */
export async function ownersOfEarly(
  db: FileDb,
  partnerId: number,
  { userId, uuid }: DeviceOfToken,
): Promise<number[]> {
  const where = { partnerId, userId, uuid, status: { not: 'seen' } };
  const told = await db.earlyReceipt.findMany({ where, select: { fileId: true } });
  if (told.length === 0) return [];
  const fileId = { in: told.map((one) => one.fileId) };
  const shared = await db.rollout.findFirst({ where: { partnerId: operator, fileId }, select: { id: true } });
  return shared ? [partnerId, operator] : [partnerId];
}

/** Takes what is kept of a device, in the order in which it came. */
export async function takeEarly(
  db: FileDb,
  partnerId: number,
  { userId, uuid }: DeviceOfToken,
): Promise<Early[]> {
  const where = { partnerId, userId, uuid };
  const rows = await db.earlyReceipt.findMany({ where, orderBy: { id: 'asc' } });
  if (rows.length > 0) await db.earlyReceipt.deleteMany({ where });
  return rows.map(({ at, fileId, progress, reason, status, toldBy, version }) => ({
    userId,
    uuid,
    fileId,
    version,
    at,
    step: isReceiptStatus(status)
      ? { status, at, progress, reason, toldBy: toldBy === 'gateway' ? 'gateway' : 'player' }
      : null,
  }));
}

/** Of all tenants: what came before `before` is of devices that never came. */
export async function forgetEarly(db: FileDb, before: Date): Promise<number> {
  const { count } = await db.earlyReceipt.deleteMany({ where: { receivedAt: { lt: before } } });
  return count;
}

const isReceiptStatus = (status: string): status is ReceiptStatus =>
  receiptStatuses.some((known) => known === status);
