import {
  type EventData,
  type FieldError,
  formatDateTime,
  type NotificationStatus,
  type pushEvents,
  pushLimits,
} from '@portal/contracts';
import { AppError } from '@portal/kernel';
import type { Audience } from '../../audience/domain/audience.ts';

export type NotificationTarget = EventData<typeof pushEvents.notificationScheduled>['target'];

/** What somebody may say of a notification, and change while it waits. */
export interface NotificationContent {
  readonly title: string | null;
  readonly message: string;
  readonly json: string | null;
  /** Null: the operator's. */
  readonly certificationId: number | null;
  readonly target: NotificationTarget;
  readonly groupIds: readonly number[];
  readonly userIds: readonly number[];
  /** Null: at once. */
  readonly deliverDatetime: Date | null;
}

/** What a call says: absent stays, and an empty text is none. */
export interface NotificationChange {
  readonly title?: string | null | undefined;
  readonly message?: string | undefined;
  readonly json?: string | null | undefined;
  readonly certificationId?: number | null | undefined;
  readonly deliverDatetime?: Date | '' | null | undefined;
  /** Absent where neither a group nor users are named. */
  readonly audience?: Audience | undefined;
}

/** To all, by the operator's certificate, at once. */
export const unaddressed: Omit<NotificationContent, 'message'> = {
  title: null,
  json: null,
  certificationId: null,
  target: 'all',
  groupIds: [],
  userIds: [],
  deliverDatetime: null,
};

/** What a notification is after a change. */
export function changedNotification(
  before: NotificationContent,
  change: NotificationChange,
): NotificationContent {
  const { audience, certificationId, deliverDatetime, json, message, title } = change;
  return {
    ...before,
    ...(title !== undefined && { title: title || null }),
    ...(message !== undefined && { message }),
    ...(json !== undefined && { json: json || null }),
    ...(certificationId !== undefined && { certificationId: certificationId || null }),
    ...(deliverDatetime !== undefined && { deliverDatetime: deliverDatetime || null }),
    ...(audience !== undefined && targetOf(audience)),
  };
}

function targetOf(audience: Audience): Pick<NotificationContent, 'groupIds' | 'target' | 'userIds'> {
  if (audience === 'all') return { target: 'all', groupIds: [], userIds: [] };
  return 'groupId' in audience
    ? { target: 'groups', groupIds: [audience.groupId], userIds: [] }
    : { target: 'users', groupIds: [], userIds: audience.userIds };
}

/**
 * @param asked what the call says: a time that stays may have come meanwhile
 * What is within the limits of title, message and JSON fits a payload; a test holds that.
 * @throws AppError `E40002` on `json` for what is too large, on `deliverDatetime` for a time that has passed
 */
export function requireSendable(content: NotificationContent, asked: NotificationChange, now: Date): void {
  const wrong: FieldError[] = [];
  if (content.json !== null && escapedBytes(content.json) > pushLimits.jsonBytes)
    wrong.push({ field: 'json', message: 'pushJsonTooLong' });
  if (asked.deliverDatetime instanceof Date && asked.deliverDatetime <= now)
    wrong.push({ field: 'deliverDatetime', message: 'deliverPast' });
  if (wrong.length > 0) throw new AppError('E40002', wrong);
}

/** As it stands in the payload, between its quotes. */
const escapedBytes = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2;

/** Throws `E40034` for one whose delivery has begun. */
export function requireWaiting({ status }: { readonly status: string }): void {
  const waiting: NotificationStatus = 'waiting';
  if (status !== waiting) throw new AppError('E40034');
}

/** What other services are told of a notification. */
export function notificationStateOf({
  certificationId,
  dueAt,
  fileId,
  groupIds,
  id,
  message,
  revision,
  target,
  title,
  userIds,
}: Omit<NotificationContent, 'target'> & {
  readonly id: number;
  readonly revision: number;
  readonly target: string;
  readonly dueAt: Date;
  readonly fileId: number | null;
}): EventData<typeof pushEvents.notificationScheduled> {
  return {
    notificationId: id,
    revision,
    title,
    message,
    certificationId,
    target: knownTarget(target),
    groupIds: [...groupIds],
    userIds: [...userIds],
    dueAt: formatDateTime(dueAt),
    fileId,
  };
}

export function knownTarget(target: string): NotificationTarget {
  return target === 'groups' || target === 'users' ? target : 'all';
}
