import { fileEvents, formatDateTime, limits } from '@portal/contracts';
import type { AskedChange } from '../../changes/domain/asked-change.ts';
import { storedChange } from '../../changes/domain/stored-change.ts';
import { type Effect, showEffect } from '../../changes/use-cases/observe.ts';
import type { Change } from '../../files/data/changes.ts';
import type { Creator } from '../../uploads/data/version-repository.ts';
import { type Approval, insertApproval } from '../data/approval-repository.ts';

/** Asks another admin of the tenant for a change, which waits for them as it is shown now. */
export async function askForChange(
  change: Change,
  asked: AskedChange,
  { by, effect, now }: { readonly by: Creator; readonly effect: Effect; readonly now: Date },
): Promise<Approval> {
  const { body, what } = storedChange(asked);
  return ask(change, by, now, {
    what,
    body,
    fileId: asked.fileId,
    fileName: effect.before.name,
    versionId: asked.versionId ?? null,
    effect: showEffect(effect),
    effectHash: effect.hash,
  });
}

/** Asks another admin to turn off that changes wait. */
export async function askForSettings(
  change: Change,
  versionsKept: number | undefined,
  { by, now }: { readonly by: Creator; readonly now: Date },
): Promise<Approval> {
  return ask(change, by, now, {
    what: 'settings',
    // As it was sent: what is absent stays as it is when this is approved.
    body: { ...(versionsKept !== undefined && { versions_kept: versionsKept }), approval_required: false },
    fileId: null,
    fileName: null,
    versionId: null,
    effect: null,
    effectHash: null,
  });
}

async function ask(
  change: Change,
  by: Creator,
  now: Date,
  what: Omit<Parameters<typeof insertApproval>[1], 'askedBy' | 'askedByName' | 'at' | 'expiresAt'>,
): Promise<Approval> {
  const expiresAt = new Date(now.getTime() + limits.approvalLifetime);
  const approval = await insertApproval(change, {
    ...what,
    askedBy: by.id,
    askedByName: by.name ?? '',
    at: now,
    expiresAt,
  });
  change.outbox.append(fileEvents.approvalRequested, {
    subject: approval.id,
    partnerId: change.partnerId,
    data: { ...toldOf(approval), expiresAt: formatDateTime(expiresAt) },
  });
  return approval;
}

/** What others are told of a request. */
export const toldOf = ({ askedBy, askedByName, fileId, fileName, id, what }: Approval) => ({
  approvalId: id,
  what,
  fileId,
  name: fileName,
  requestedBy: askedBy,
  requestedByName: askedByName,
});
