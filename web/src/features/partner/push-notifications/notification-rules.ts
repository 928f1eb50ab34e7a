import { jsonText, pushLimits, pushRoutes, type RouteReply, type RouteRequest } from '@portal/contracts';
import { z } from 'zod';

type Answered = RouteReply<typeof pushRoutes.getNotification>;
/** With what people know it by: its title, or else its message. */
export type Notification = Answered & { readonly name: string };

export const namedNotification = (notification: Answered): Notification => ({
  ...notification,
  name: notification.title || notification.message,
});

export interface ChosenUser {
  readonly id: number;
  readonly loginId: string;
}

export type NotificationValues = {
  title: string;
  message: string;
  /** 0: the operator's. */
  certificationId: number;
  deliverType: 'deliverNow' | 'deliverSchedule';
  deliverDatetime: string;
  deliverToType: 'all' | 'group' | 'users';
  /** 0: none yet. */
  groupId: number;
  users: readonly ChosenUser[];
  json: string;
};

export const emptyNotification: NotificationValues = {
  title: '',
  message: '',
  certificationId: 0,
  deliverType: 'deliverNow',
  deliverDatetime: '',
  deliverToType: 'all',
  groupId: 0,
  users: [],
  json: '',
};

export const notificationValuesOf = (notification: Notification): NotificationValues => ({
  title: notification.title ?? '',
  message: notification.message,
  certificationId: notification.certificationId ?? 0,
  deliverType: notification.deliverDatetime === null ? 'deliverNow' : 'deliverSchedule',
  deliverDatetime: notification.deliverDatetime ?? '',
  deliverToType: notification.groupId ? 'group' : notification.userCount > 0 ? 'users' : 'all',
  groupId: notification.groupId ?? 0,
  users: notification.users,
  json: notification.json ?? '',
});

/** As it stands in the payload, between its quotes. */
const escapedBytes = (json: string) => new TextEncoder().encode(JSON.stringify(json)).length - 2;

const { message, title } = pushRoutes.notificationFields.shape;

/** The rules of the form; `before` is the time that stands already, which may stay though it is near. */
export const notificationSchema = (
  now: () => Date,
  before: string,
): z.ZodType<NotificationValues, NotificationValues> =>
  z
    .object({
      title: title.unwrap().unwrap(),
      message,
      certificationId: z.number(),
      deliverType: z.enum(['deliverNow', 'deliverSchedule']),
      deliverDatetime: z.string(),
      deliverToType: z.enum(['all', 'group', 'users']),
      groupId: z.number(),
      users: z.array(z.object({ id: z.number(), loginId: z.string() })),
      json: jsonText.refine((json) => escapedBytes(json) <= pushLimits.jsonBytes, {
        error: 'pushJsonTooLong',
      }),
    })
    .superRefine((values, context) => {
      const refuse = (field: keyof NotificationValues, rule: string) =>
        context.addIssue({ code: 'custom', path: [field], message: rule });
      if (values.deliverType === 'deliverSchedule') {
        const { deliverDatetime } = values;
        if (deliverDatetime === '') refuse('deliverDatetime', 'deliverDatetimeRequired');
        else if (deliverDatetime !== before && new Date(deliverDatetime) <= now())
          refuse('deliverDatetime', 'deliverPast');
      }
      if (values.deliverToType === 'group' && values.groupId === 0) refuse('groupId', 'groupRequired');
      if (values.deliverToType === 'users' && values.users.length === 0) refuse('users', 'usersRequired');
    });

/** Whom it goes to, as the calls take it; on a change null takes the one before away. */
export function targetOf({ deliverToType, groupId, users }: NotificationValues) {
  return {
    groupId: deliverToType === 'group' ? groupId : null,
    userIds: deliverToType === 'users' ? users.map(({ id }) => id) : null,
  };
}

type Body = NonNullable<RouteRequest<typeof pushRoutes.createNotification>['body']>;

export function notificationBody(values: NotificationValues): Body {
  const { certificationId, deliverDatetime, deliverType, json, message: text, title: heading } = values;
  return {
    title: heading,
    message: text,
    certificationId,
    json,
    deliverDatetime: deliverType === 'deliverSchedule' ? deliverDatetime : null,
    ...targetOf(values),
  };
}
