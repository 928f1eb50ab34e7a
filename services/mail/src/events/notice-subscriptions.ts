import {
  batchEvents,
  fileEvents,
  identityEvents,
  pushEvents,
  tenantEvents,
  userEvents,
} from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import { type EventHandler, on, onMany, partnerOf } from '@portal/service-kit';
import type { MailDb } from '../data/db.ts';
import { forgetReaders, insertNotice } from '../data/notice-repository.ts';
import { publishersOf } from '../domain/audience.ts';

const handler = 'keep-notices';

/** What people are told of, and the ends of those who are told. */
export function noticeSubscriptions({ clock }: { clock: Clock }): EventHandler<MailDb>[] {
  return [
    on(batchEvents.exportReady, handler, async ({ db }, { data, partnerid: partnerId }) => {
      const { batchId, kind, owner, rowCount, unitId } = data;
      await insertNotice(
        db,
        {
          audience: owner,
          partnerId,
          unitId,
          content: { kind: 'export_ready', data: { batchId, export: kind, rowCount } },
        },
        clock.now(),
      );
    }),

    on(userEvents.importEnded, handler, async ({ db }, { data, partnerid: partnerId }) => {
      const { importId, openedBy, ...told } = data;
      if (openedBy === null) return;
      await insertNotice(
        db,
        {
          audience: { kind: 'account', id: openedBy },
          partnerId,
          content: { kind: 'import_ended', data: { batchProcessId: importId, ...told } },
        },
        clock.now(),
      );
    }),

    on(fileEvents.uploadFailed, handler, async ({ db }, { data, partnerid: partnerId }) => {
      const { fileDeleted, fileId, fileName, name, openedBy, publisher, reason } = data;
      if (openedBy === null) return;
      await insertNotice(
        db,
        {
          audience: { kind: publisher ? 'admin' : 'account', id: openedBy },
          partnerId,
          unitId: publisher?.unitId ?? undefined,
          content: { kind: 'upload_failed', data: { fileDeleted, fileId, fileName, name, reason } },
        },
        clock.now(),
      );
    }),

    on(tenantEvents.licenceEnding, handler, async ({ db }, { data, partnerid: partnerId }) => {
      const { days, licenseExpiredOn, partnerId: id } = data;
      await insertNotice(
        db,
        {
          audience: { kind: 'company-admins', id },
          partnerId,
          content: { kind: 'licence_ending', data: { days, licenseExpiredOn } },
        },
        clock.now(),
      );
    }),

    on(pushEvents.certificationEnding, handler, async ({ db }, event) => {
      const partnerId = partnerOf(event);
      await insertNotice(
        db,
        {
          audience: { kind: 'company-admins', id: partnerId },
          partnerId,
          content: { kind: 'certificate_ending', data: event.data },
        },
        clock.now(),
      );
    }),

    on(fileEvents.approvalRequested, handler, async ({ db }, event) => {
      const { expiresAt: _end, requestedBy, ...told } = event.data;
      const partnerId = partnerOf(event);
      await insertNotice(
        db,
        {
          audience: { kind: 'company-admins', id: partnerId },
          except: { kind: 'account', id: requestedBy },
          partnerId,
          content: { kind: 'approval_requested', data: told },
        },
        clock.now(),
      );
    }),

    on(fileEvents.approvalDecided, handler, async ({ db }, event) => {
      const { comment: _said, decidedBy, requestedBy, ...told } = event.data;
      // Who took it back knows.
      if (decidedBy === requestedBy) return;
      await insertNotice(
        db,
        {
          audience: { kind: 'account', id: requestedBy },
          partnerId: partnerOf(event),
          content: { kind: 'approval_decided', data: told },
        },
        clock.now(),
      );
    }),

    on(fileEvents.fileRolloutHalted, handler, async ({ db }, event) => {
      const { haltedBy, publisher, ...told } = event.data;
      const content = { kind: 'rollout_halted', data: { ...told, byHand: haltedBy !== null } } as const;
      const partnerId = publisher ? null : partnerOf(event);
      await insertNotice(
        db,
        {
          audience: publisher
            ? publishersOf(publisher.unitId)
            : { kind: 'company-admins', id: partnerOf(event) },
          partnerId,
          unitId: publisher?.unitId ?? undefined,
          content,
        },
        clock.now(),
      );
    }),

    on(userEvents.userDeleted, handler, async ({ db }, { data: { userId } }) =>
      forgetReaders(db, [{ kind: 'account', id: userId }]),
    ),
    onMany(userEvents.usersDeleted, handler, async ({ db }, events) =>
      forgetReaders(
        db,
        events.flatMap(({ data: { people } }) =>
          people.map(({ userId }) => ({ kind: 'account', id: userId })),
        ),
      ),
    ),
    on(identityEvents.adminDeleted, handler, async ({ db }, { data: { adminId } }) =>
      forgetReaders(db, [{ kind: 'admin', id: adminId }]),
    ),
  ];
}
