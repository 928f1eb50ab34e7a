import type { ApprovalKind, ApprovalState, approvalRoutes, PageReply } from '@portal/contracts';
import { pageReply } from '@portal/database';
import { z } from 'zod';
import { assignedGroups } from '../../assignments/data/assignment-repository.ts';
import type { ShownEffect } from '../../changes/use-cases/observe.ts';
import type { FileDb } from '../../data/db.ts';
import { Prisma, type Approval as Row } from '../../data/generated/client.ts';
import type { Change } from '../../files/data/changes.ts';
import { type DueShares, findDue } from '../../files/data/due-shares.ts';
import { deliverySettings } from '../../versions/data/settings-repository.ts';

type Query = z.output<(typeof approvalRoutes.listApprovals)['query']>;

/** A change that waits or waited for another admin. */
export interface Approval extends Omit<Row, 'effect' | 'state' | 'what'> {
  readonly what: ApprovalKind;
  readonly state: ApprovalState;
  /** Null of settings. */
  readonly effect: ShownEffect | null;
}

const concerned = z.object({ users: z.number(), devices: z.number(), names: z.array(z.string()) });
const effectSchema: z.ZodType<ShownEffect> = z.object({
  gains: concerned,
  loses: concerned,
  changes: concerned,
  bytes: z.number(),
});

/** The columns hold nothing but what this repository wrote. */
const approvalOf = ({ effect, state, what, ...row }: Row): Approval => ({
  ...row,
  what: what as ApprovalKind,
  state: state as ApprovalState,
  effect: effectSchema.nullable().parse(effect),
});

/** Whether what people get of a file is changed by two admins; asked in a change. */
export async function mayWait(change: Pick<Change, 'db' | 'partnerId'>, fileId: number): Promise<boolean> {
  const { approvalRequired } = await deliverySettings(change.db, change.partnerId);
  return approvalRequired && (await assignedGroups(change, fileId)).length > 0;
}

export async function insertApproval(
  { db, partnerId }: Change,
  {
    effect,
    body,
    ...asked
  }: Pick<
    Approval,
    | 'at'
    | 'askedBy'
    | 'askedByName'
    | 'effect'
    | 'effectHash'
    | 'expiresAt'
    | 'fileId'
    | 'fileName'
    | 'versionId'
    | 'what'
  > & { readonly body: Prisma.InputJsonObject },
): Promise<Approval> {
  const row = await db.approval.create({
    data: {
      ...asked,
      partnerId,
      state: 'waiting',
      body,
      ...(effect && { effect: { ...effect } }),
    },
  });
  return approvalOf(row);
}

export async function findApproval(db: FileDb, partnerId: number, id: number): Promise<Approval | null> {
  const row = await db.approval.findFirst({ where: { id, partnerId } });
  return row && approvalOf(row);
}

/** The request for a version whose bytes are there. */
export async function findApprovalOfVersion(
  db: FileDb,
  partnerId: number,
  versionId: number,
): Promise<Approval | null> {
  const row = await db.approval.findFirst({ where: { partnerId, versionId } });
  return row && approvalOf(row);
}

/** A request as it is until the end of the transaction: of two who decide at one moment the later sees the earlier. */
export async function lockApproval({ db, partnerId }: Change, id: number): Promise<Approval | null> {
  await db.$executeRaw`SELECT FROM approvals WHERE partner_id = ${partnerId} AND id = ${id} FOR UPDATE`;
  return findApproval(db, partnerId, id);
}

export async function saveDecision(
  { db, partnerId }: Change,
  id: number,
  decision: Pick<Approval, 'comment' | 'decidedAt' | 'decidedBy' | 'decidedByName' | 'state'>,
): Promise<void> {
  await db.approval.updateMany({ where: { id, partnerId }, data: decision });
}

export async function countWaiting(
  { db, partnerId }: Pick<Change, 'db' | 'partnerId'>,
  fileId: number,
  now: Date,
): Promise<number> {
  return db.approval.count({ where: { partnerId, fileId, state: 'waiting', expiresAt: { gt: now } } });
}

/** One page, newest first. What nobody decided in time has expired, whether that is written down or not. */
export async function listApprovals(
  db: FileDb,
  partnerId: number,
  { by, fileId, page, perPage, state, what }: Query,
  now: Date,
): Promise<PageReply & { approvals: Approval[] }> {
  const where: Prisma.ApprovalWhereInput = {
    partnerId,
    ...(by !== undefined && { askedBy: by }),
    ...(fileId !== undefined && { fileId }),
    ...(what && { what: { in: what } }),
    ...(state && { OR: state.map((one) => isInState(one, now)) }),
  };
  const totalCount = await db.approval.count({ where });
  const rows = await db.approval.findMany({
    where,
    orderBy: { id: 'desc' },
    skip: (page - 1) * perPage,
    take: perPage,
  });
  return { ...pageReply(totalCount, { page, perPage }), approvals: rows.map(approvalOf) };
}

function isInState(state: ApprovalState, now: Date): Prisma.ApprovalWhereInput {
  const waiting = { state: 'waiting' };
  switch (state) {
    case 'waiting':
      return { ...waiting, expiresAt: { gt: now } };
    case 'expired':
      return { OR: [{ state }, { ...waiting, expiresAt: { lte: now } }] };
    default:
      return { state };
  }
}

/** The state at `now`. */
export const stateAt = (
  { expiresAt, state }: Pick<Approval, 'expiresAt' | 'state'>,
  now: Date,
): ApprovalState => (state === 'waiting' && expiresAt <= now ? 'expired' : state);

/** Of all tenants: requests that nobody has decided in time, the oldest first. */
export async function findOverdueApprovals(
  db: FileDb,
  now: Date,
  shares: DueShares,
): Promise<{ id: number; partnerId: number }[]> {
  return findDue(
    db,
    {
      at: Prisma.sql`expires_at`,
      from: Prisma.sql`approvals`,
      where: Prisma.sql`state = 'waiting' AND expires_at <= ${now}`,
    },
    shares,
  );
}
