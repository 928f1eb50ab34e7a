import {
  documentEvents,
  fileEvents,
  pushEvents,
  type RouteReply,
  tenantRoutes,
  userEvents,
} from '@portal/contracts';
import { recordUsage, type UsageEntry } from '@portal/contracts/internal';
import { newId } from '@portal/kernel';
import {
  adminActor,
  keyExchange,
  partnerActor,
  playerActor,
  type ServiceHarness,
  startServiceHarness,
} from '@portal/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { tenantService } from '../src/service.ts';

let harness: ServiceHarness;
let pid: number;

beforeAll(async () => {
  harness = await startServiceHarness(tenantService);
  await harness.service.seed();
});
afterAll(async () => harness.stop());

/** A partner of its own for each test, as an administrator would make it. */
async function partner(licenseType: 'user' | 'device', licenseCount = 10): Promise<number> {
  const [row] = await harness.sql<{ id: number }>(
    `WITH made AS (
     INSERT INTO partners (unit_id, name, name_key, partner_code, partner_code_key, time_zone, contract_rank, license_type, license_count, user_device_limit,
       uap_file_limit, file_public_flag, operation_log_download_flag, partner_item, json, comment, managers, lang,
       created_at, updated_at)
     VALUES (1, 'A company', 'a company', $1, $1, 'Asia/Tokyo', 'standard', $2, $3, 0, 3, false, true, '', '', '', '', 'ja', now(), now())
     RETURNING partner_id)
     INSERT INTO partner_units SELECT partner_id, 1 FROM made RETURNING partner_id AS id`,
    newId(),
    licenseType,
    licenseCount,
  );
  return row?.id ?? 0;
}

async function summary(of = pid, tz = 'UTC'): Promise<RouteReply<typeof tenantRoutes.getSummary>> {
  const { body, status } = await harness.call(
    tenantRoutes.getSummary,
    { params: { pid: of }, query: { tz } },
    partnerActor({ partnerId: of }),
  );
  expect(status).toBe(200);
  return body;
}

const user = (userId: number, isUser = true) => ({
  subject: userId,
  partnerId: pid,
  data: {
    userId,
    name: 'A user',
    email: null,
    loginUserId: `u${userId}`,
    role: 0,
    isUser,
    groupIds: [],
  },
});
const device = (uuid: string) => ({
  subject: uuid,
  partnerId: pid,
  data: { userId: 1, uuid, name: '', osType: '', osVersion: '', playerVersion: '' },
});
const uploaded = (fileId: number, version: number, fileSize: number, more: object = {}) => ({
  subject: fileId,
  partnerId: pid,
  data: { fileId, version, fileName: 'tour.uap', fileSize, sha256: '', ...more },
});
const record = async (usage: Partial<UsageEntry>[], batchId = newId()) =>
  harness.callAs('gateway', recordUsage, {
    body: {
      batchId,
      usage: usage.map((entry) => ({
        partnerId: pid,
        day: '2026-11-21',
        apiCalls: 0,
        uploadedBytes: 0,
        downloadedBytes: 0,
        ...entry,
      })),
    },
  });

beforeEach(async () => {
  pid = await partner('user');
});

describe('When a tenant looks at its summary', () => {
  it('then every field is there, also of one that has done nothing yet', async () => {
    const { daily, ...rest } = await summary(1);
    expect(rest).toEqual({
      partnerName: 'Demo Corporation',
      partnerCode: '1000',
      filePublicFlag: true,
      totalFileSize: 0,
      licenseCount: 100,
      licenseRemaining: 100,
      apiCallNum: 0,
      dataTransfer: 0,
      pushNotificationNum: 0,
      operationLogDownloadFlag: true,
      uapFileLimit: 0,
      uapFileNum: 0,
      licenseType: 'user',
      contractRank: 'enterprise',
      licenseExpiredOn: '2028-11-21T09:00:00Z',
      allowedSsoApiFlag: true,
      docdbContractStatus: 0,
      docdbUsageBytes: 0,
      docdbStartDate: null,
      docdbExpireDate: null,
      docdbApiKey: null,
    });
    expect(daily).toHaveLength(30);
    expect(daily.at(-1)).toEqual({ date: '2026-11-21', apiCallNum: 0, uploadBytes: 0, downloadBytes: 0 });
    expect((await summary(3)).allowedSsoApiFlag).toBe(false);
  });

  it('then it has its document database as it was last told, whatever came first', async () => {
    const key = 'portal_db_key';
    const state = (revision: number, usageBytes: number) => ({
      ...documentEvents.databaseCreated.example,
      partnerId: pid,
      revision,
      usageBytes,
      sealedKey: harness.sealsOf('document').seal(key, `document database ${pid}`, 'tenant'),
    });
    const of = { subject: pid, partnerId: pid };
    await harness.deliver(documentEvents.databaseUpdated, { ...of, data: state(2, 5) });
    await harness.deliver(documentEvents.databaseCreated, { ...of, data: state(1, 0) });
    const database = {
      docdbContractStatus: 1,
      docdbUsageBytes: 5,
      docdbStartDate: '2026-11-21T09:00:00Z',
      docdbExpireDate: '2026-12-21T09:00:00Z',
    };
    expect(await summary()).toMatchObject({ ...database, docdbApiKey: key });
    const asAdmin = async (role: number) =>
      (await harness.call(tenantRoutes.getSummary, { params: { pid } }, adminActor({ role }))).body;
    expect(await asAdmin(31)).toMatchObject({ ...database, docdbApiKey: key });
    expect(await asAdmin(15)).toMatchObject({ ...database, docdbApiKey: null });
    expect(JSON.stringify(await harness.sql('SELECT t::text FROM document_databases t'))).not.toContain(key);

    const gone = { partnerId: pid, revision: 3, db: documentEvents.databaseCreated.example.db };
    await harness.deliver(documentEvents.databaseDeleted, { ...of, data: gone });
    const none = { docdbContractStatus: 0, docdbUsageBytes: 0, docdbStartDate: null, docdbApiKey: null };
    expect(await summary()).toMatchObject(none);
    await harness.deliver(documentEvents.databaseUpdated, { ...of, data: state(2, 9) });
    expect(await summary()).toMatchObject(none);
    await harness.deliver(documentEvents.databaseCreated, { ...of, data: state(4, 0) });
    expect(await summary()).toMatchObject({ docdbContractStatus: 1, docdbApiKey: key });
  });

  it('then it is its own alone, and for admins alone', async () => {
    const ask = async (actor: Parameters<typeof harness.refused>[2]) => {
      const { body, status } = await harness.refused(tenantRoutes.getSummary, { params: { pid: 1 } }, actor);
      return [status, body.code];
    };
    expect(await ask(partnerActor({ partnerId: 2 }))).toEqual([404, 'E40402']);
    for (const role of [1, 16, 17])
      expect(await ask(partnerActor({ partnerId: 1, role }))).toEqual([403, 'E40301']);
    expect(await ask(playerActor({ partnerId: 1, accountId: 1 }))).toEqual([403, 'E40301']);
    expect(await ask(undefined)).toEqual([401, 'E40101']);
  });
});

describe('When push notifications are delivered', () => {
  const delivered = async (notificationId: number, finishedAt: string, times = 1) =>
    harness.deliver(pushEvents.notificationDelivered, {
      subject: notificationId,
      partnerId: pid,
      times,
      data: { ...pushEvents.notificationDelivered.example, notificationId, finishedAt },
    });

  it('then the summary has those of the last 30 days, each once', async () => {
    await delivered(1, '2026-11-21T08:00:00Z', 2);
    await delivered(2, '2026-11-21T08:30:00Z');
    await delivered(3, '2026-10-23T00:00:00Z');
    await delivered(4, '2026-10-22T23:59:59Z');
    expect((await summary()).pushNotificationNum).toBe(3);
    expect((await summary(1)).pushNotificationNum).toBe(0);
  });

  it('then those that failed are not among them, and none stays for good', async () => {
    await harness.deliver(pushEvents.notificationFailed, {
      subject: 5,
      partnerId: pid,
      data: { ...pushEvents.notificationFailed.example, notificationId: 5 },
    });
    await delivered(6, '2025-01-01T00:00:00Z');
    await delivered(7, '2026-11-20T00:00:00Z');
    await harness.runJobs();
    expect((await summary()).pushNotificationNum).toBe(1);
    expect(await harness.sql('SELECT delivered FROM daily_pushes WHERE partner_id = $1', pid)).toEqual([
      { delivered: 1 },
    ]);
  });
});

describe('When people and devices come and go', () => {
  it('then licences that count users follow the users, even if events arrive twice', async () => {
    await harness.deliver(userEvents.userCreated, user(1));
    await harness.deliver(userEvents.userCreated, user(2));
    await harness.deliver(userEvents.userCreated, user(2));
    await harness.deliver(userEvents.userCreated, user(3, false));
    await harness.deliver(userEvents.userUpdated, {
      ...user(1),
      data: { ...user(1).data, endsSessions: false },
    });
    await harness.deliver(userEvents.deviceRegistered, device('a'));
    expect(await summary()).toMatchObject({ licenseCount: 10, licenseRemaining: 8 });
    for (const id of [2, 2, 3])
      await harness.deliver(userEvents.userDeleted, { ...user(id), data: { userId: id } });
    expect(await summary()).toMatchObject({ licenseRemaining: 9 });
  });

  it('then who is made inactive gives a licence back, whatever order that is told in', async () => {
    const state = (id: number, active: boolean, revision: number) => ({
      ...user(id).data,
      revision,
      endsSessions: !active,
      ...(!active && { active: false as const }),
    });
    const told = async (...of: Parameters<typeof state>) =>
      harness.deliver(userEvents.userUpdated, { ...user(of[0]), data: state(...of) });
    const together = async (people: readonly Parameters<typeof state>[]) =>
      harness.deliver(userEvents.usersUpdated, {
        subject: pid,
        partnerId: pid,
        data: { partnerId: pid, people: people.map((of) => state(...of)) },
      });
    const remaining = async () => (await summary()).licenseRemaining;
    await told(5, false, 1);
    expect(await remaining()).toBe(10);
    await told(5, true, 2);
    await told(5, true, 2);
    expect(await remaining()).toBe(9);
    await told(5, false, 1);
    expect(await remaining()).toBe(9);
    await together([
      [5, false, 3],
      [6, true, 1],
      [7, false, 1],
    ]);
    expect(await remaining()).toBe(9);
    await together([
      [5, true, 4],
      [6, false, 2],
      [7, true, 2],
    ]);
    expect(await remaining()).toBe(8);
    await together([[5, false, 5]]);
    for (const id of [5, 6, 7]) {
      await harness.deliver(userEvents.userDeleted, { ...user(id), data: { userId: id } });
    }
    expect(await remaining()).toBe(10);
  });

  it('then licences that count devices follow the devices', async () => {
    pid = await partner('device', 2);
    await harness.deliver(userEvents.userCreated, user(4));
    await harness.deliver(userEvents.deviceRegistered, device('a'));
    await harness.deliver(userEvents.deviceRegistered, device('b'));
    expect(await summary()).toMatchObject({ licenseType: 'device', licenseRemaining: 0 });
    await harness.deliver(userEvents.deviceRemoved, { ...device('a'), data: { userId: 1, uuid: 'a' } });
    // Handed over from one to another.
    await harness.deliver(userEvents.deviceRemoved, { ...device('b'), data: { userId: 1, uuid: 'b' } });
    await harness.deliver(userEvents.deviceRegistered, device('b'));
    expect(await summary()).toMatchObject({ licenseRemaining: 1 });
  });
});

describe('When files come and go', () => {
  const released = (fileId: number, version: number) => ({
    subject: fileId,
    partnerId: pid,
    data: { fileId, version },
  });
  const at = '2026-12-01T00:00:00Z';
  const restored = (of: { version: number; fileSize?: number; at?: string }) => {
    const { at: updateReservationAt = null, ...version } = of;
    return {
      subject: 1,
      partnerId: pid,
      data: { fileId: 1, restoredFrom: 1, updateReservationAt, ...version },
    };
  };
  const cancelled = (fileId: number) => ({
    subject: fileId,
    partnerId: pid,
    data: { fileId, name: '', note: '', deliverReservationAt: null, updateReservationAt: null },
  });
  const stored = async () => {
    const { totalFileSize, uapFileNum } = await summary();
    return [totalFileSize, uapFileNum];
  };

  it('then their bytes and the number of .uap files follow', async () => {
    await harness.deliver(fileEvents.fileUploaded, uploaded(1, 1, 100));
    await harness.deliver(fileEvents.fileUploaded, uploaded(2, 1, 1000, { fileName: 'a.UFPZ' }));
    expect(await stored()).toEqual([1100, 1]);
    await harness.deliver(fileEvents.fileUploaded, uploaded(1, 2, 70));
    await harness.deliver(fileEvents.fileVersionReleased, released(1, 2));
    expect(await stored()).toEqual([1070, 1]);
    await harness.deliver(fileEvents.fileDeleted, { subject: 1, partnerId: pid, data: { fileId: 1 } });
    await harness.deliver(fileEvents.fileDeleted, { subject: 1, partnerId: pid, data: { fileId: 1 } });
    expect(await stored()).toEqual([1000, 0]);
  });

  it('then a reserved update counts beside its file until it takes its place', async () => {
    await harness.deliver(fileEvents.fileUploaded, uploaded(1, 1, 100));
    await harness.deliver(fileEvents.fileUploaded, uploaded(1, 2, 30, { reserved: true }));
    await harness.deliver(fileEvents.fileUploaded, uploaded(1, 2, 40, { reserved: true }));
    expect(await stored()).toEqual([140, 1]);
    // The current one is exchanged meanwhile.
    await harness.deliver(fileEvents.fileUploaded, uploaded(1, 2, 500));
    await harness.deliver(fileEvents.fileVersionReleased, released(1, 2));
    expect(await stored()).toEqual([540, 1]);
    await harness.deliver(fileEvents.fileVersionReleased, released(1, 3));
    await harness.deliver(fileEvents.fileVersionReleased, released(1, 3));
    expect(await stored()).toEqual([40, 1]);
  });

  it('then a version that is restored counts with its own size, now and at a time', async () => {
    await harness.deliver(fileEvents.fileUploaded, uploaded(1, 1, 100));
    await harness.deliver(fileEvents.fileUploaded, uploaded(1, 2, 30));
    await harness.deliver(fileEvents.fileVersionReleased, released(1, 2));
    await harness.deliver(fileEvents.fileVersionRestored, restored({ version: 3, fileSize: 100 }));
    await harness.deliver(fileEvents.fileVersionReleased, released(1, 3));
    expect(await stored()).toEqual([100, 1]);
    await harness.deliver(fileEvents.fileVersionRestored, restored({ version: 4, fileSize: 30, at }));
    expect(await stored()).toEqual([130, 1]);
    // Another takes the place of the current one, and what is reserved stays so.
    await harness.deliver(fileEvents.fileVersionRestored, restored({ version: 4, fileSize: 100 }));
    await harness.deliver(fileEvents.fileVersionReleased, released(1, 4));
    expect(await stored()).toEqual([130, 1]);
    await harness.deliver(fileEvents.fileVersionReleased, released(1, 5));
    expect(await stored()).toEqual([30, 1]);
  });

  it('then one that was restored before events told of its size changes nothing', async () => {
    await harness.deliver(fileEvents.fileUploaded, uploaded(1, 1, 100));
    await harness.deliver(fileEvents.fileVersionRestored, restored({ version: 3 }));
    expect(await stored()).toEqual([100, 1]);
  });

  it('then the upload of an application, which is of no tenant, changes nothing when it fails', async () => {
    await harness.deliver(fileEvents.fileUploaded, uploaded(1, 1, 100));
    const { example } = fileEvents.uploadFailed;
    await harness.deliver(fileEvents.uploadFailed, {
      subject: 1,
      partnerId: null,
      data: { ...example, fileId: 1, fileDeleted: true, publisher: { unitId: 1 } },
    });
    expect(await stored()).toEqual([100, 1]);
  });

  it('then one that is taken back is gone', async () => {
    await harness.deliver(fileEvents.fileUploaded, uploaded(1, 1, 100));
    await harness.deliver(fileEvents.fileUploaded, uploaded(1, 2, 30, { reserved: true }));
    await harness.deliver(fileEvents.fileUpdated, cancelled(1));
    expect(await stored()).toEqual([100, 1]);
  });

  it('then more than 2^32 bytes are given exactly', async () => {
    for (let id = 1; id <= 3; id++) await harness.deliver(fileEvents.fileUploaded, uploaded(id, 1, 2 ** 31));
    expect(await stored()).toEqual([3 * 2 ** 31, 3]);
  });
});

describe('When the gateway tells of calls and transfer', () => {
  it('then they add up by day over the last 30 days', async () => {
    await record([{ apiCalls: 2, uploadedBytes: 5, downloadedBytes: 50 }]);
    await record([
      { apiCalls: 1 },
      { day: '2026-10-23', apiCalls: 10, downloadedBytes: 100 },
      { day: '2026-10-22', apiCalls: 99, downloadedBytes: 999 },
    ]);
    const { apiCallNum, daily, dataTransfer } = await summary();
    expect([apiCallNum, dataTransfer]).toEqual([13, 155]);
    expect(daily[0]).toEqual({ date: '2026-10-23', apiCallNum: 10, uploadBytes: 0, downloadBytes: 100 });
    expect(daily.at(-1)).toEqual({ date: '2026-11-21', apiCallNum: 3, uploadBytes: 5, downloadBytes: 50 });
  });

  it('then they add up by the days of the viewer, in zones that are off by quarters of an hour too', async () => {
    // From 18:00 to 18:15 in UTC; midnight in Kathmandu is 18:15, in Kolkata 18:30, in Tokyo 15:00.
    await record([{ day: '2026-11-20', quarter: 72, apiCalls: 1, downloadedBytes: 8 }]);
    await record([{ day: '2026-11-20', quarter: 73, apiCalls: 10, uploadedBytes: 5 }]);
    await record([{ day: '2026-11-20', quarter: 74, apiCalls: 100 }]);
    const lastTwo = async (tz: string) =>
      (await summary(pid, tz)).daily.slice(-2).map(({ apiCallNum, date }) => [date, apiCallNum]);
    const [yesterday, today] = ['2026-11-20', '2026-11-21'];
    expect(await lastTwo('UTC')).toEqual([
      [yesterday, 111],
      [today, 0],
    ]);
    expect(await lastTwo('Asia/Tokyo')).toEqual([
      [yesterday, 0],
      [today, 111],
    ]);
    expect(await lastTwo('Asia/Kathmandu')).toEqual([
      [yesterday, 1],
      [today, 110],
    ]);
    expect(await lastTwo('Asia/Kolkata')).toEqual([
      [yesterday, 11],
      [today, 100],
    ]);
    expect((await summary(pid, 'Asia/Kolkata')).daily.at(-2)).toMatchObject({
      uploadBytes: 5,
      downloadBytes: 8,
    });
    const { apiCallNum, dataTransfer } = await summary(pid, 'Asia/Kathmandu');
    expect([apiCallNum, dataTransfer]).toEqual([111, 13]);
  });

  it('then a day begins in Japan where no zone is named, and a zone that nobody knows is refused', async () => {
    await record([{ day: '2026-11-20', quarter: 72, apiCalls: 1 }]);
    const as = partnerActor({ partnerId: pid });
    const { body } = await harness.call(tenantRoutes.getSummary, { params: { pid } }, as);
    expect(body.daily.at(-1)).toMatchObject({ date: '2026-11-21', apiCallNum: 1 });
    for (const tz of ['Mars/Olympus', '+09:00', 'x'.repeat(65)]) {
      const refused = await harness.refused(tenantRoutes.getSummary, { params: { pid }, query: { tz } }, as);
      expect([refused.status, refused.body.code, refused.body.errors[0]?.field]).toEqual([
        400,
        'E40002',
        'tz',
      ]);
    }
  });

  it('then the same batch adds once, also when it comes many times at the same moment', async () => {
    const batchId = newId();
    const replies = await Promise.all(Array.from({ length: 5 }, () => record([{ apiCalls: 4 }], batchId)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await summary()).apiCallNum).toBe(4);
  });

  it('then many batches at once lose nothing', async () => {
    await Promise.all(Array.from({ length: 20 }, () => record([{ apiCalls: 1, uploadedBytes: 3 }])));
    expect(await summary()).toMatchObject({ apiCallNum: 20, dataTransfer: 60 });
  });

  it('then transfers that bypass the product are given as unknown', async () => {
    await record([{ apiCalls: 1, uploadedBytes: null, downloadedBytes: null }]);
    await record([{ apiCalls: 1, uploadedBytes: null, downloadedBytes: null }]);
    expect(await summary()).toMatchObject({ apiCallNum: 2, dataTransfer: null });
    await record([{ apiCalls: 1, downloadedBytes: 7 }]);
    expect(await summary()).toMatchObject({ apiCallNum: 3, dataTransfer: 7 });
  });

  it('then other callers are refused', async () => {
    const body = { batchId: newId(), usage: [] };
    expect((await harness.callAs('user', recordUsage, { body })).status).toBe(403);
    const own = await harness.refused(recordUsage, { body }, partnerActor({ partnerId: pid }));
    expect(own.status).toBe(401);
  });
});

test('What another encryption key has sealed of the keys of databases is sealed with the first', async () => {
  const { env, former, present } = keyExchange();
  const changing = await startServiceHarness(tenantService, { env });
  try {
    const of = 'document database 7';
    await changing.sql(
      `INSERT INTO document_databases (partner_id, contract_status, usage_bytes, start_date, expire_date, api_key)
       VALUES (7, 1, 0, now(), now(), $1)`,
      former.seal('key', of),
    );
    await changing.runJobs();
    const [row] = await changing.sql<{ api_key: Buffer }>('SELECT api_key FROM document_databases');
    expect(row && present.open(row.api_key, of)).toBe('key');
  } finally {
    await changing.stop();
  }
});
