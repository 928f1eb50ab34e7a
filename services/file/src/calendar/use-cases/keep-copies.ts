import {
  type CertificationState,
  certificationStates,
  copyOf,
  type NotificationState,
  notificationStates,
} from '@portal/service-kit';
import type { FileDb } from '../../data/db.ts';
import {
  dropCertifications,
  dropNotifications,
  keepCertifications,
  keepNotifications,
} from '../data/copy-repository.ts';

/** The push notifications of tenants, by their times. What was sent stays. */
export const notifications = copyOf<FileDb, NotificationState, number>(
  'keep-notifications',
  notificationStates,
  {
    keep: async ({ db }, known) =>
      keepNotifications(
        db,
        known.map(({ id: notificationId, partnerId, state: { dueAt, fileId, message, title } }) => ({
          notificationId,
          partnerId,
          title: title ?? message.replaceAll(/\s+/g, ' '),
          dueAt: new Date(dueAt),
          fileId,
        })),
      ),
    forget: async ({ db }, gone) =>
      dropNotifications(
        db,
        gone.map(({ id }) => id),
      ),
  },
);

/** The push certificates of tenants, while they have an end. The operator's are no tenant's business. */
export const certifications = copyOf<FileDb, CertificationState, number | null>(
  'keep-certifications',
  certificationStates,
  {
    async keep({ db }, known) {
      const ending = known.flatMap(({ id: certificationId, partnerId, state }) => {
        const { certificateExpiresAt, name } = state;
        if (partnerId === null || certificateExpiresAt === null) return [];
        return [{ certificationId, partnerId, name: name ?? '', endsAt: new Date(certificateExpiresAt) }];
      });
      const kept = new Set(ending.map(({ certificationId }) => certificationId));
      await keepCertifications(db, ending);
      await dropCertifications(
        db,
        known.flatMap(({ id }) => (kept.has(id) ? [] : [id])),
      );
    },
    forget: async ({ db }, gone) =>
      dropCertifications(
        db,
        gone.map(({ id }) => id),
      ),
  },
);
