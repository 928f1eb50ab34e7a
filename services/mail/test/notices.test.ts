import {
  batchEvents,
  fileEvents,
  identityEvents,
  noticeRoutes,
  pushEvents,
  tenantEvents,
  userEvents,
  userRoleBits,
} from '@portal/contracts';
import { newId } from '@portal/kernel';
import {
  adminActor,
  partnerActor,
  playerActor,
  type ServiceHarness,
  startServiceHarness,
} from '@portal/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mailService } from '../src/service.ts';
import { partner } from './support.ts';

let harness: ServiceHarness;
beforeAll(async () => {
  harness = await startServiceHarness(mailService, { env: { PUBLIC_URL: 'http://localhost:8080' } });
  for (const partnerId of [1, 2]) {
    const data = { ...partner, partnerId };
    await harness.deliver(tenantEvents.partnerCreated, { subject: partnerId, partnerId, data });
  }
});
afterAll(() => harness?.stop());
beforeEach(async () => harness.sql('DELETE FROM notices'));

const taro = partnerActor({ accountId: 12 });
const hanako = partnerActor({ accountId: 13 });
const developer = partnerActor({ accountId: 14, role: userRoleBits.developer });
const { listAdminNotices, listPartnerNotices, readAdminNotices, readPartnerNotices } = noticeRoutes;

async function exportReady(
  batchId: number,
  {
    id = 12,
    kind = 'account',
    partnerId = 1,
    unitId,
  }: {
    id?: number;
    kind?: 'account' | 'admin';
    partnerId?: number | null;
    unitId?: number;
  } = {},
): Promise<void> {
  const data = {
    batchId,
    kind: 'users',
    rowCount: 3,
    owner: { kind, id },
    ...(unitId !== undefined && { unitId }),
  };
  await harness.deliver(batchEvents.exportReady, { subject: batchId, partnerId, data });
}

const approval = {
  approvalId: 8,
  what: 'restore',
  fileId: 5,
  name: 'Tour',
  requestedBy: 12,
  requestedByName: 'Taro',
} as const;
const approvalDecided = async (decidedBy: number | null) =>
  harness.deliver(fileEvents.approvalDecided, {
    subject: 8,
    partnerId: 1,
    data: { ...approval, state: 'declined', decidedBy, comment: 'No' },
  });

const licenceEnding = async (partnerId = 1) =>
  harness.deliver(tenantEvents.licenceEnding, {
    subject: partnerId,
    partnerId,
    data: { partnerId, licenseExpiredOn: '2026-12-21T00:00:00Z', days: 30 },
  });

const list = async (actor = taro, query: object = {}) =>
  (await harness.call(listPartnerNotices, { query } as never, actor)).body;
const ids = async (actor = taro) => (await list(actor)).notices.map(({ id }) => id);

describe('When a change waits for another admin', () => {
  test('then the others are told, and who asked is told how it ended, unless they ended it', async () => {
    await harness.deliver(fileEvents.approvalRequested, {
      subject: 8,
      partnerId: 1,
      data: { ...approval, expiresAt: '2026-12-08T00:00:00Z' },
    });
    const { requestedBy: _who, ...data } = approval;
    const link = '/partner/approvals/detail?id=8';
    expect((await list(hanako)).notices).toMatchObject([{ kind: 'approval_requested', data, link }]);
    expect(await list(taro)).toMatchObject({ notices: [], unreadCount: 0 });
    expect((await list(developer)).notices).toEqual([]);
    const [id] = await ids(hanako);
    const read = await harness.refused(readPartnerNotices, { body: { ids: [id ?? 0] } }, taro);
    expect(read.status).toBe(404);
    await approvalDecided(12);
    expect((await list(taro)).notices).toEqual([]);
    await approvalDecided(13);
    expect((await list(taro)).notices).toMatchObject([
      { kind: 'approval_decided', data: { ...data, state: 'declined' }, link },
    ]);
    expect(await ids(hanako)).toEqual([id]);
  });
});

describe('When something has happened', () => {
  test('then who began it is told what, and where it leads', async () => {
    await exportReady(7);
    await harness.deliver(userEvents.importEnded, {
      subject: 8,
      partnerId: 1,
      data: {
        importId: 8,
        openedBy: 12,
        result: 'applied',
        createCount: 4,
        updateCount: 5,
        deleteCount: 6,
        errorCount: 0,
      },
    });
    const upload = {
      fileId: 9,
      uploadId: newId(),
      name: 'Tour',
      fileName: 'tour.uap',
      fileDeleted: false,
      openedBy: 12,
      reason: 'expired',
    } as const;
    await harness.deliver(fileEvents.uploadFailed, { subject: 9, partnerId: 1, data: upload });
    await harness.deliver(fileEvents.uploadFailed, {
      subject: 9,
      partnerId: 1,
      data: { ...upload, fileDeleted: true },
    });

    const { notices, unreadCount, totalCount } = await list();
    expect({ unreadCount, totalCount }).toEqual({ unreadCount: 4, totalCount: 4 });
    const told = { read: false, createdAt: '2026-11-21T09:00:00Z', id: expect.any(Number) };
    const file = { fileId: 9, name: 'Tour', fileName: 'tour.uap', reason: 'expired' };
    expect(notices).toEqual([
      { ...told, kind: 'upload_failed', link: '/partner/files', data: { ...file, fileDeleted: true } },
      {
        ...told,
        kind: 'upload_failed',
        link: '/partner/files/detail?id=9',
        data: { ...file, fileDeleted: false },
      },
      {
        ...told,
        kind: 'import_ended',
        link: '/partner/users/csv-complete?id=8',
        data: {
          batchProcessId: 8,
          result: 'applied',
          createCount: 4,
          updateCount: 5,
          deleteCount: 6,
          errorCount: 0,
        },
      },
      {
        ...told,
        kind: 'export_ready',
        link: '/partner/exports/users/7',
        data: { batchId: 7, export: 'users', rowCount: 3 },
      },
    ]);
    expect((await list(hanako)).notices).toEqual([]);
  });

  test('then the event once more tells nothing more', async () => {
    const data = { batchId: 1, kind: 'users', rowCount: 3, owner: { kind: 'account', id: 12 } } as const;
    await harness.deliver(batchEvents.exportReady, { subject: 1, partnerId: 1, data, times: 2 });
    expect((await list()).totalCount).toBe(1);
  });

  test('then the end of a licence is told to each company admin, and read by each on their own', async () => {
    await licenceEnding();
    const [notice] = (await list()).notices;
    expect(notice).toMatchObject({
      kind: 'licence_ending',
      link: '/partner/summary',
      data: { days: 30, licenseExpiredOn: '2026-12-21T00:00:00Z' },
    });
    expect((await list(developer)).notices).toEqual([]);
    await harness.call(readPartnerNotices, { body: { ids: [notice?.id ?? 0] } }, taro);
    expect((await list(taro)).unreadCount).toBe(0);
    expect(await list(hanako)).toMatchObject({ unreadCount: 1, notices: [{ read: false }] });
  });

  test('then the end of a push certificate is told to the company admins, and leads to the list', async () => {
    const data = { ...pushEvents.certificationEnding.example, name: 'Sales', days: 7 };
    const { certificationId } = data;
    await harness.deliver(pushEvents.certificationEnding, { subject: certificationId, partnerId: 1, data });
    expect((await list(hanako)).notices).toMatchObject([
      { kind: 'certificate_ending', link: '/partner/certifications', data },
    ]);
    expect((await list(developer)).notices).toEqual([]);
  });

  test('then an administrator is told of their own, of a unit too', async () => {
    const ofUnit = adminActor({ adminId: 5, unitId: 3 });
    await exportReady(1, { kind: 'admin', id: 4, partnerId: null });
    await exportReady(2, { kind: 'admin', id: 5, partnerId: null, unitId: 3 });
    const first = await harness.call(listAdminNotices, {}, adminActor({ adminId: 4 }));
    expect(first.body.notices).toMatchObject([{ link: '/admin/exports/users/1' }]);
    const second = await harness.call(listAdminNotices, {}, ofUnit);
    expect(second.body.notices).toMatchObject([{ link: '/admin/exports/users/2' }]);
    expect((await harness.call(readAdminNotices, { body: { all: true } }, ofUnit)).body).toEqual({});
    expect((await harness.call(listAdminNotices, {}, ofUnit)).body.unreadCount).toBe(0);
  });
});

describe('When the upload of an application failed', () => {
  test('then the administrator who began it is told, and it leads to the application, or to the list without it', async () => {
    const upload = {
      fileId: 5,
      uploadId: newId(),
      name: 'Viewer',
      fileName: 'viewer.uap',
      fileDeleted: false,
      reason: 'expired',
    } as const;
    const failed = async (openedBy: number, unitId: number | null, fileDeleted: boolean) =>
      harness.deliver(fileEvents.uploadFailed, {
        subject: 5,
        partnerId: null,
        data: { ...upload, fileDeleted, openedBy, publisher: { unitId } },
      });
    const told = async (actor: ReturnType<typeof adminActor>) =>
      (await harness.call(listAdminNotices, { query: {} }, actor)).body.notices.map(
        ({ data, kind, link }) => [kind, link, 'name' in data && data.name],
      );
    const ofUnit = adminActor({ adminId: 31, role: 3, unitId: 1 });
    const other = adminActor({ adminId: 32, role: 3, unitId: 1 });
    // With the id of the administrator: nobody takes them for each other.
    const person = partnerActor({ accountId: 31 });
    await failed(31, 1, false);
    expect(await told(ofUnit)).toEqual([['upload_failed', '/admin/applications/detail?id=5', 'Viewer']]);
    for (const actor of [other, adminActor({ adminId: 33 })]) expect(await told(actor)).toEqual([]);
    expect(await ids(person)).toEqual([]);
    await failed(33, null, true);
    expect(await told(adminActor({ adminId: 33 }))).toEqual([
      ['upload_failed', '/admin/applications', 'Viewer'],
    ]);
    const read = await harness.call(readAdminNotices, { body: { all: true } }, ofUnit);
    expect(read.status).toBe(200);
  });
});

describe('When the stages of an application were halted', () => {
  test('then those who may change the applications of its unit are told, nobody else', async () => {
    const told = { fileId: 5, name: 'Viewer', version: 2, reports: 20, failures: 5 };
    const halted = async (unitId: number | null) =>
      harness.deliver(fileEvents.fileRolloutHalted, {
        subject: 5,
        partnerId: null,
        data: { ...told, haltedBy: null, publisher: { unitId } },
      });
    const links = async (actor: ReturnType<typeof adminActor>) =>
      (await harness.call(listAdminNotices, { query: {} }, actor)).body.notices.map(({ link }) => link);
    const ofUnit = adminActor({ adminId: 21, role: 63, unitId: 1 });
    const reader = adminActor({ adminId: 22, role: 1, unitId: 1 });
    const ofOther = adminActor({ adminId: 23, role: 63, unitId: 2 });
    await halted(1);
    for (const actor of [adminActor(), reader, ofOther]) expect(await links(actor)).toEqual([]);
    expect(await links(ofUnit)).toEqual(['/admin/applications/detail?id=5']);
    await halted(null);
    expect(await links(adminActor())).toEqual(['/admin/applications/detail?id=5']);
    expect((await links(ofUnit)).length).toBe(1);
    expect(await ids()).toEqual([]);
    const read = await harness.call(readAdminNotices, { body: { all: true } }, ofUnit);
    expect(read.status).toBe(200);
    const left = await harness.call(listAdminNotices, { query: {} }, ofUnit);
    expect(left.body).toMatchObject({ unreadCount: 0, notices: [{ read: true }] });
  });
});

describe('When notices are listed', () => {
  test('then they come in pages, the newest first', async () => {
    for (const batchId of [1, 2, 3]) await exportReady(batchId);
    const page = await list(taro, { page: 2, perPage: 2 });
    expect(page).toMatchObject({ currentPage: 2, totalPage: 2, totalCount: 3, unreadCount: 3 });
    expect(page.notices.map(({ data }) => data)).toMatchObject([{ batchId: 1 }]);
  });

  test('then paging that cannot be is refused, and so is who has none', async () => {
    const wrong = await harness.refused(listPartnerNotices, { query: { perPage: 101 } } as never, taro);
    expect(wrong).toMatchObject({ status: 400, body: { code: 'E40002', errors: [{ field: 'per_page' }] } });
    const player = await harness.refused(listPartnerNotices, {}, playerActor({ accountId: 12 }));
    expect(player).toMatchObject({ status: 403, body: { code: 'E40301' } });
    const admin = await harness.refused(listPartnerNotices, {}, adminActor());
    expect(admin).toMatchObject({ status: 401, body: { code: 'E40102' } });
    expect((await harness.refused(listAdminNotices, {}, taro)).body.code).toBe('E40102');
    expect((await harness.refused(listPartnerNotices, {})).body.code).toBe('E40101');
  });
});

describe('When notices are read', () => {
  const refused = async (body: object) => harness.refused(readPartnerNotices, { body } as never, taro);

  test('then those of the ids are, or all', async () => {
    for (const batchId of [1, 2, 3]) await exportReady(batchId);
    const [newest = 0] = await ids();
    expect((await harness.call(readPartnerNotices, { body: { ids: [newest, newest] } }, taro)).body).toEqual(
      {},
    );
    expect((await list()).notices.map(({ read }) => read)).toEqual([true, false, false]);
    await harness.call(readPartnerNotices, { body: { all: true } }, taro);
    await harness.call(readPartnerNotices, { body: { all: true } }, taro);
    expect((await list()).unreadCount).toBe(0);
  });

  test("then another's is not found, and nothing is read", async () => {
    await exportReady(1);
    await exportReady(2, { id: 13 });
    await exportReady(3, { id: 12, partnerId: 2 });
    const [own = 0] = await ids();
    const [other = 0] = await ids(hanako);
    const [elsewhere = 0] = await ids(partnerActor({ accountId: 12, partnerId: 2 }));
    for (const id of [other, elsewhere, 999_999]) {
      const reply = await refused({ ids: [own, id] });
      expect(reply).toMatchObject({ status: 404, body: { code: 'E40401' } });
    }
    expect((await list()).unreadCount).toBe(1);
  });

  test('then neither ids nor all, or both, is refused', async () => {
    const neither = await refused({});
    expect(neither).toMatchObject({ status: 400, body: { code: 'E40003', errors: [{ field: 'ids' }] } });
    const both = await refused({ ids: [1], all: true });
    expect(both).toMatchObject({ status: 400, body: { code: 'E40002', errors: [{ field: 'all' }] } });
    expect((await refused({ all: false })).body).toMatchObject({
      code: 'E40002',
      errors: [{ field: 'all' }],
    });
    expect((await refused({ ids: ['1'] })).body.code).toBe('E40002');
    const many = await refused({ ids: Array.from({ length: 1_001 }, (_, id) => id + 1) });
    expect(many.body).toMatchObject({ code: 'E40002', errors: [{ field: 'ids' }] });
  });
});

describe('When the time of a notice is over', () => {
  test('then it goes after 30 days, with who has read it', async () => {
    await exportReady(1);
    await harness.call(readPartnerNotices, { body: { all: true } }, taro);
    harness.clock.advance(30 * 24 * 3_600_000);
    await harness.runJobs();
    expect((await list()).totalCount).toBe(1);
    harness.clock.advance(1_000);
    await harness.runJobs();
    expect((await list()).totalCount).toBe(0);
    expect(await harness.sql('SELECT 1 FROM notice_reads')).toEqual([]);
  });

  test('then those of somebody who is gone go', async () => {
    await licenceEnding();
    await exportReady(1, { id: 21 });
    await exportReady(2, { id: 22 });
    await exportReady(3, { kind: 'admin', id: 6, partnerId: null });
    const gone = partnerActor({ accountId: 21 });
    await harness.call(readPartnerNotices, { body: { all: true } }, gone);
    const { userDeleted, usersDeleted } = userEvents;
    await harness.deliver(userDeleted, { subject: 21, partnerId: 1, data: { userId: 21 } });
    const people = { partnerId: 1, people: [{ userId: 22 }] };
    await harness.deliver(usersDeleted, { subject: 1, partnerId: 1, data: people });
    await harness.deliver(identityEvents.adminDeleted, { subject: 6, partnerId: null, data: { adminId: 6 } });
    const left = await harness.sql('SELECT audience FROM notices');
    expect(left).toEqual([{ audience: 'company-admins:1' }]);
    expect(await harness.sql('SELECT 1 FROM notice_reads')).toEqual([]);
  });

  test('then those of a deleted partner go', async () => {
    await licenceEnding(2);
    await exportReady(1, { id: 31, partnerId: 2 });
    await harness.call(
      readPartnerNotices,
      { body: { all: true } },
      partnerActor({ accountId: 31, partnerId: 2 }),
    );
    await exportReady(2);
    await harness.deliver(tenantEvents.partnerDeleted, { subject: 2, partnerId: 2, data: { partnerId: 2 } });
    await harness.runJobs();
    expect(await harness.sql('SELECT partner_id AS "partnerId" FROM notices')).toEqual([{ partnerId: 1 }]);
    expect(await harness.sql('SELECT 1 FROM notice_reads')).toEqual([]);
  });
});
