import { fileEvents, identityEvents, pushEvents, tenantEvents } from '@portal/contracts';
import { keepExportTasks } from '@portal/csv-export';
import { type EventHandler, keepPartners, on, onMany, partnerOf } from '@portal/service-kit';
import { keepTwoFactor } from '../data/account-repository.ts';
import type { UserDb } from '../data/db.ts';
import { forgetFileNotices, keepFileNotices } from '../data/file-notice-repository.ts';
import { forgetFile, keepGroupsOfFile } from '../data/group-repository.ts';
import { deleteLicenceHold } from '../data/licence-hold-repository.ts';
import { partnerSubscriptions, setTwoAdmins } from '../data/partner-repository.ts';
import { forgetPush } from '../data/push-repository.ts';
import { keepSetupMails } from '../data/setup-mail-repository.ts';
import type { CallDependencies } from '../dependencies.ts';
import { fileNoticeJob, importJob } from '../jobs.ts';
import { createDemoUsers } from '../use-cases/create-demo-users.ts';
import { createSignedUpAdmin } from '../use-cases/create-signed-up-admin.ts';
import { endPushOfSessions } from '../use-cases/end-push-of-sessions.ts';
import { holdLicences } from '../use-cases/hold-licences.ts';
import { mailApproval } from '../use-cases/mail-approval.ts';
import { mailFilePeople } from '../use-cases/mail-file-notices.ts';
import { mailHalt } from '../use-cases/mail-halt.ts';
import { startUserImport } from '../use-cases/start-user-import.ts';

export const subscriptions = (
  deps: Pick<CallDependencies, 'clock' | 'passwords' | 'seals'>,
): readonly EventHandler<UserDb>[] => [
  ...partnerSubscriptions<UserDb>(),
  // In order with what is told of the partner: it is known by then, unless it was deleted.
  on(tenantEvents.demoUsersRequested, keepPartners, async (tx, event) =>
    createDemoUsers(deps, tx, event.data),
  ),
  on(tenantEvents.companyAdminRequested, keepPartners, async (tx, event) =>
    createSignedUpAdmin(deps, tx, event.data),
  ),
  // In order with what is told of the partner: a hold ends when the limit that it was for is known.
  on(tenantEvents.licenceHoldAsked, keepPartners, async (tx, event) =>
    holdLicences(tx, event.data, deps.clock.now()),
  ),
  on(tenantEvents.licenceHoldEnded, keepPartners, async ({ db }, event) => deleteLicenceHold(db, event.data)),

  on(
    fileEvents.uploadCompleted,
    'start-imports',
    async ({ db }, event) =>
      startUserImport(db, { ...event.data, partnerId: partnerOf(event) }, new Date(event.time)),
    { wakes: importJob },
  ),

  on(fileEvents.fileAssigned, 'keep-group-files', async ({ db }, event) =>
    keepGroupsOfFile(db, partnerOf(event), event.data),
  ),
  on(fileEvents.fileDeleted, 'keep-group-files', async ({ db }, event) =>
    forgetFile(db, partnerOf(event), event.data.fileId),
  ),

  on(fileEvents.fileRolloutHalted, 'mail-halts', async (tx, event) => {
    // Those of an application are its publisher's, whom the identity service tells.
    if (!event.data.publisher) await mailHalt(tx, deps, partnerOf(event), event.data);
  }),

  on(
    fileEvents.fileDelivered,
    'keep-file-notices',
    async (tx, event) => {
      const { fileId, groupIds, name: fileName, notifyEmail, userIds } = event.data;
      if (!notifyEmail) return;
      const notice = { partnerId: partnerOf(event), fileId, fileName };
      if (userIds) await mailFilePeople(tx, deps, notice, userIds);
      else await keepFileNotices(tx.db, { ...notice, groupIds, turnAt: new Date(event.time) });
    },
    { wakes: fileNoticeJob },
  ),
  on(fileEvents.fileDeleted, 'keep-file-notices', async ({ db }, event) =>
    forgetFileNotices(db, partnerOf(event), event.data.fileId),
  ),

  on(fileEvents.approvalRequested, 'mail-approvals', async (tx, event) =>
    mailApproval(tx, deps, partnerOf(event), event.data),
  ),
  on(fileEvents.approvalDecided, 'keep-two-admins', async ({ db }, event) => {
    const { state, what } = event.data;
    if (what !== 'settings' || state !== 'approved') return;
    await setTwoAdmins(db, partnerOf(event), { needed: false, at: new Date(event.time) });
  }),

  on(pushEvents.deviceUnreachable, 'forget-push', async ({ db }, event) => {
    const { number, uuid } = event.data;
    await forgetPush(db, { partnerId: partnerOf(event), uuid }, number);
  }),
  onMany(identityEvents.sessionRevoked, 'end-push', async (tx, events) => {
    const [first] = events;
    // Of a session without a tenant no device is.
    if (!first || first.partnerid === null) return;
    await endPushOfSessions(
      tx,
      first.partnerid,
      events.map(({ data }) => data),
    );
  }),

  on(identityEvents.twoFactorChanged, 'keep-two-factor', async ({ db }, event) => {
    const { accountId, accountKind, ...state } = event.data;
    if (accountKind === 'account')
      await keepTwoFactor(db, { partnerId: partnerOf(event), id: accountId }, state);
  }),

  on(identityEvents.setupMailsSent, 'keep-setup-mails', async ({ db }, event) =>
    keepSetupMails(db, partnerOf(event), { ...event.data, at: new Date(event.data.at) }),
  ),

  ...keepExportTasks(['users']),
];
