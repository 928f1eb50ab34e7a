import {
  calendarRoutes,
  deliveryRoutes,
  fileRoutes,
  formatDateTime,
  pushEvents,
  rolloutRoutes,
  userEvents,
  userRoleBits,
} from '@portal/contracts';
import { adminActor, partnerActor, playerActor } from '@portal/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { admin, developer, type FileHarness, someBytes, startFileHarness, stranger } from './file-harness.ts';

/** The calendar: what is planned and what has come of it, on the screen and for calendar programs. */

let harness: FileHarness;
let pid = 0;
let actor = admin;
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

beforeAll(async () => {
  harness = await startFileHarness({ PUBLIC_URL: 'https://portal.example.com/' });
  await harness.partner(1);
  await harness.partner(2);
});
afterAll(async () => harness.stop());

let nextPartner = 100;
/** A tenant of its own for each test, with a group of everybody. */
beforeEach(async () => {
  pid = nextPartner++;
  actor = partnerActor({ partnerId: pid });
  harness.roles.set(1, userRoleBits.admin);
  await harness.partner(pid, 0, { licenseExpiredOn: null, name: 'Sakura, Ltd.; Tokyo', lang: 'en' });
});

const from = (ms: number) => formatDateTime(new Date(harness.clock.now().getTime() + ms));
const ask = async (query: { start: string; end: string; kind?: string }) =>
  harness.call(calendarRoutes.getCalendar, { params: { pid }, query }, actor);
const entries = async (start = from(-90 * day), end = from(300 * day), kind?: string) =>
  (await ask({ start, end, ...(kind !== undefined && { kind }) })).body.entries;
const upload = async (fileName: string, deliverReservationAt?: string) =>
  harness.upload({ fileName, name: fileName, ...(deliverReservationAt && { deliverReservationAt }) }, actor);
const assign = async (id: number) =>
  harness.call(fileRoutes.assignGroups, { params: { pid, id }, body: { groupIds: [0] } }, actor);
const reserve = async (id: number, body: { updateReservationAt: string }) =>
  harness.refused(fileRoutes.reserveUpdate, { params: { pid, id }, body }, actor);
const makeToken = async (of = actor) =>
  (await harness.call(calendarRoutes.createCalendarToken, { params: { pid } }, of)).body;
const fetchFile = async (token?: string, of = pid) =>
  harness.raw({
    method: 'GET',
    url: `/v1/partner/partners/${of}/calendar.ics${token === undefined ? '' : `?token=${encodeURIComponent(token)}`}`,
  });
const textOf = async (token: string) => String((await fetchFile(token)).body);
/** The lines of the calendar, put together again, of each event. */
const eventsIn = (text: string) =>
  text
    .replaceAll('\r\n ', '')
    .split('BEGIN:VEVENT\r\n')
    .slice(1)
    .map((event) => Object.fromEntries(event.split('\r\n').map((line) => line.split(/:(.*)/s).slice(0, 2))));

/** New bytes that wait for their time. */
async function reserveBytes(id: number, fileName: string, at: string): Promise<void> {
  const body = { updateReservationAt: at, fileName, fileSize: 4 };
  const opened = await harness.call(fileRoutes.reserveUpdate, { params: { pid, id }, body }, actor);
  if (!('uploadId' in opened.body)) throw new Error(JSON.stringify(opened.body));
  await harness.put(opened.body.signedUrl, someBytes('late'));
  const { uploadId } = opened.body;
  await harness.call(fileRoutes.completeUpload, { params: { uploadId }, body: { parts: [] } }, actor);
}

async function push(notificationId: number, at: string, more: object = {}): Promise<void> {
  const { example } = pushEvents.notificationScheduled;
  const data = { ...example, notificationId, dueAt: at, ...more };
  await harness.deliver(pushEvents.notificationScheduled, { subject: notificationId, partnerId: pid, data });
}

async function certificate(certificationId: number, at: string | null, partnerId: number | null = pid) {
  const { example } = pushEvents.certificationCreated;
  const data = { ...example, certificationId, certificateExpiresAt: at };
  await harness.deliver(pushEvents.certificationUpdated, { subject: certificationId, partnerId, data });
}

describe('The calendar', () => {
  it('has what is planned and what has come of it, by time', async () => {
    const licenseExpiredOn = from(200 * day);
    await harness.partner(pid, 0, { name: 'Sakura', licenseExpiredOn, revision: 2 });
    const ahead = await upload('ahead.uap', from(3 * day));
    await reserveBytes(ahead, 'ahead.uap', from(5 * day));
    const out = await upload('out.uap');
    await assign(out);
    // One that goes to nobody came to nobody.
    await upload('nobody.uap');
    const base = pid * 10;
    await push(base, from(day), { title: null, message: 'The new\ncatalogue' });
    await push(base + 1, from(-2 * day), { fileId: out });
    await certificate(base + 2, from(100 * day));
    const nothing = {
      fileId: null,
      version: null,
      notificationId: null,
      certificationId: null,
      movable: false,
    };
    expect(await entries()).toEqual([
      { ...nothing, kind: 'push', at: from(-2 * day), title: 'News', notificationId: base + 1, fileId: out },
      { ...nothing, kind: 'delivery', at: from(0), title: 'out.uap', fileId: out, version: 1 },
      { ...nothing, kind: 'push', at: from(day), title: 'The new catalogue', notificationId: base },
      {
        ...nothing,
        kind: 'delivery',
        at: from(3 * day),
        title: 'ahead.uap',
        fileId: ahead,
        version: 1,
        movable: true,
      },
      {
        ...nothing,
        kind: 'update',
        at: from(5 * day),
        title: 'ahead.uap',
        fileId: ahead,
        version: 2,
        movable: true,
      },
      {
        ...nothing,
        kind: 'certificate_end',
        at: from(100 * day),
        title: 'Sales app',
        certificationId: base + 2,
      },
      { ...nothing, kind: 'licence_end', at: licenseExpiredOn, title: 'Sakura' },
    ]);
    const kinds = (await entries(undefined, undefined, 'update,licence_end')).map(({ kind }) => kind);
    expect(kinds).toEqual(['update', 'licence_end']);
    // Both ends are in it.
    expect(await entries(from(3 * day), from(5 * day))).toHaveLength(2);
    expect(await entries(from(3 * day + 1_000), from(5 * day - 1_000))).toEqual([]);
  });

  it('shows an update where it was live, whoever has written that down, and none that nobody got', async () => {
    const id = await upload('moves.uap');
    const early = await harness.call(
      fileRoutes.updateFile,
      { params: { pid, id }, body: { fileName: 'moves.uap', fileSize: 4 } },
      actor,
    );
    if (!('uploadId' in early.body)) throw new Error('no upload');
    await harness.put(early.body.signedUrl, someBytes('next'));
    const { uploadId } = early.body;
    await harness.call(fileRoutes.completeUpload, { params: { uploadId }, body: { parts: [] } }, actor);
    harness.clock.advance(minute);
    await assign(id);
    const at = from(20 * minute);
    await reserveBytes(id, 'moves.uap', at);
    harness.clock.advance(30 * minute);
    const seen = async () =>
      (await entries(undefined, undefined, 'update')).map((one) => [one.at, one.version, one.movable]);
    expect(await seen()).toEqual([[at, 3, false]]);
    await harness.runJobs();
    expect(await seen()).toEqual([[at, 3, false]]);
    const versions = await harness.call(deliveryRoutes.listVersions, { params: { pid, id } }, actor);
    expect(versions.body.versions[0]).toMatchObject({ version: 3, state: 'current', liveFrom: at });
  });

  it('has of a delivery in stages the next one that has a time, whoever has written down the one before', async () => {
    const id = await upload('stages.uap');
    const stages = [{ percent: 10 }, { percent: 50, after: 'P1D' }, { percent: 100, after: 'PT12H' }];
    const body = { groupIds: [0], rollout: { stages } };
    const assigned = await harness.call(fileRoutes.assignGroups, { params: { pid, id }, body }, actor);
    expect(assigned.status).toBe(200);
    const seen = async () => entries(from(0), from(30 * day), 'stage');
    const stage = { kind: 'stage', title: 'stages.uap', fileId: id, version: 1, movable: false };
    expect(await seen()).toMatchObject([{ ...stage, at: from(day) }]);
    const { token } = await makeToken();
    expect(eventsIn(await textOf(token)).map(({ SUMMARY }) => SUMMARY)).toContain(
      'Next stage: stages.uap (version 1)',
    );
    harness.clock.advance(day);
    expect(await seen()).toMatchObject([{ ...stage, at: from(day / 2) }]);
    await harness.call(rolloutRoutes.haltRollout, { params: { pid, id } }, actor);
    expect(await seen()).toEqual([]);
    await harness.call(rolloutRoutes.resumeRollout, { params: { pid, id } }, actor);
    harness.clock.advance(day);
    expect(await seen()).toEqual([]);
  });

  it('follows what the push service tells, in whatever order it comes', async () => {
    const base = pid * 10;
    const { example } = pushEvents.notificationScheduled;
    const told = async (revision: number, at: string) =>
      harness.deliver(pushEvents.notificationUpdated, {
        subject: base,
        partnerId: pid,
        data: { ...example, notificationId: base, revision, dueAt: at },
      });
    await told(3, from(3 * day));
    await told(2, from(2 * day));
    const seen = async () => (await entries()).map(({ at, kind }) => [kind, at]);
    expect(await seen()).toEqual([['push', from(3 * day)]]);
    const data = { notificationId: base };
    await harness.deliver(pushEvents.notificationDeleted, { subject: base, partnerId: pid, data });
    await certificate(base + 1, from(day));
    // The operator's is no business of tenants.
    await certificate(base + 2, from(day), null);
    expect(await seen()).toEqual([['certificate_end', from(day)]]);
    await certificate(base + 1, null);
    expect(await seen()).toEqual([]);
  });

  it('is asked for a period, of at most 400 days', async () => {
    const wrong = async (query: object) =>
      harness.refused(calendarRoutes.getCalendar, { params: { pid }, query: query as never }, actor);
    const field = async (query: object) => {
      const { body } = await wrong(query);
      return [body.code, body.errors.map((error) => error.field)];
    };
    const start = from(0);
    expect(await field({ start, end: from(-1_000) })).toEqual(['E40002', ['end']]);
    expect(await field({ start, end: from(400 * day + 1_000) })).toEqual(['E40002', ['end']]);
    expect((await ask({ start, end: from(400 * day) })).status).toBe(200);
    expect((await ask({ start, end: start })).status).toBe(200);
    expect(await field({})).toEqual(['E40003', ['start', 'end']]);
    expect(await field({ start, end: start, kind: 'other' })).toEqual(['E40002', ['kind']]);
  });

  it('is for company admins of the tenant alone', async () => {
    const query = { start: from(0), end: from(day) };
    const of = async (who: typeof admin) =>
      (await harness.refused(calendarRoutes.getCalendar, { params: { pid: 1 }, query }, who)).body.code;
    expect(await of(developer)).toBe('E40301');
    expect(await of(partnerActor({ accountId: 5, role: userRoleBits.pushApi }))).toBe('E40301');
    expect(await of(playerActor({ accountId: 12 }))).toBe('E40301');
    expect(await of(adminActor())).toBe('E40102');
    expect(await of(stranger)).toBe('E40402');
  });

  it('moves by the reservation, and by nothing that its rules refuse', async () => {
    const id = await upload('rules.uap', from(2 * day));
    await reserveBytes(id, 'rules.uap', from(4 * day));
    const before = await entries();
    const refusal = await reserve(id, { updateReservationAt: from(day) });
    expect([refusal.body.code, refusal.body.errors[0]?.field]).toEqual(['E40025', 'update_reservation_at']);
    expect((await reserve(id, { updateReservationAt: from(minute) })).body.code).toBe('E40002');
    expect(await entries()).toEqual(before);
    await reserve(id, { updateReservationAt: from(6 * day) });
    const body = { deliverReservationAt: from(3 * day) };
    await harness.call(fileRoutes.updateFile, { params: { pid, id }, body }, actor);
    expect((await entries()).map(({ at, kind }) => [kind, at])).toEqual([
      ['delivery', from(3 * day)],
      ['update', from(6 * day)],
    ]);
  });

  it('of a very large tenant ends somewhere, and says so', async () => {
    await harness.sql(
      `INSERT INTO calendar_notifications (notification_id, partner_id, title, due_at)
       SELECT 1000000 + n, $1, 'Push ' || n, $2::timestamptz + n * interval '1 minute' FROM generate_series(1, 5001) n`,
      pid,
      harness.clock.now(),
    );
    const { body } = await ask({ start: from(0), end: from(10 * day) });
    expect(body.more).toBe(true);
    expect(body.entries).toHaveLength(5_000);
    expect(body.entries[0]?.title).toBe('Push 1');
    // What is ahead goes before what was.
    harness.clock.advance(day);
    const { token } = await makeToken();
    const starts = eventsIn(await textOf(token)).map(({ SUMMARY }) => SUMMARY);
    expect(starts).toHaveLength(5_001);
    expect(starts.at(-1)).toBe('Push notification: Push 5001');
  });
});

describe('The token of the calendar', () => {
  it('is shown once, is one for each admin, and a new one ends the one before', async () => {
    const read = async (of = actor) =>
      harness.refused(calendarRoutes.getCalendarToken, { params: { pid } }, of);
    expect((await read()).body.code).toBe('E40401');
    const first = await makeToken();
    expect(first.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(first.url).toBe(
      `https://portal.example.com/v1/partner/partners/${pid}/calendar.ics?token=${first.token}`,
    );
    expect((await read()).body).toEqual({ createdAt: from(0), lastUsedAt: null });
    const colleague = partnerActor({ partnerId: pid, accountId: 7 });
    harness.roles.set(7, userRoleBits.admin);
    const other = await makeToken(colleague);
    const second = await makeToken();
    const codes = async () => [
      (await fetchFile(first.token)).status,
      (await fetchFile(second.token)).status,
      (await fetchFile(other.token)).status,
    ];
    expect(await codes()).toEqual([401, 200, 200]);
    const stored = await harness.sql<{ row: string }>('SELECT t::text AS row FROM calendar_tokens t');
    for (const { row } of stored) expect(row).not.toContain(second.token);
    await harness.call(calendarRoutes.deleteCalendarToken, { params: { pid } }, actor);
    expect(await codes()).toEqual([401, 401, 200]);
    const again = await harness.refused(calendarRoutes.deleteCalendarToken, { params: { pid } }, actor);
    expect(again.body.code).toBe('E40401');
  });

  it('is answered once, though the call is repeated', async () => {
    const request = { params: { pid }, headers: { 'idempotency-key': `calendar-${pid}` } };
    const made = await harness.call(calendarRoutes.createCalendarToken, request, actor);
    const repeated = await harness.call(calendarRoutes.createCalendarToken, request, actor);
    expect(made.body.token).toBeTruthy();
    expect(JSON.stringify(repeated.body)).not.toContain(made.body.token);
  });

  it('tells when it was used, to the minute', async () => {
    const { token } = await makeToken();
    harness.clock.advance(hour + 25_000);
    const minuteOf = (time: string) => `${time.slice(0, 17)}00Z`;
    await fetchFile(token);
    const read = async () =>
      (await harness.call(calendarRoutes.getCalendarToken, { params: { pid } }, actor)).body.lastUsedAt;
    expect(await read()).toBe(minuteOf(from(0)));
  });

  it('opens nothing without one, with a wrong one, or with that of another tenant', async () => {
    const { token } = await makeToken();
    const code = async (given?: string, of = pid) => {
      const { body, status } = await fetchFile(given, of);
      return [status, body.code];
    };
    expect(await code()).toEqual([401, 'E40101']);
    expect(await code('')).toEqual([401, 'E40101']);
    expect(await code(token.slice(1))).toEqual([401, 'E40102']);
    expect(await code(`${token}x`)).toEqual([401, 'E40102']);
    expect(await code("' OR 1=1 --")).toEqual([401, 'E40102']);
    expect(await code('x'.repeat(3_000))).toEqual([401, 'E40102']);
    expect(await code(token, 1)).toEqual([401, 'E40102']);
    expect(await code(token, 999_999)).toEqual([401, 'E40102']);
    // A session is no token of the calendar.
    const bearer = await harness.raw({
      method: 'GET',
      url: `/v1/partner/partners/${pid}/calendar.ics`,
      actor,
    });
    expect(bearer.body.code).toBe('E40101');
  });

  it('ends with its admin, at once and for good', async () => {
    const holder = async (accountId: number) => {
      harness.roles.set(accountId, userRoleBits.admin);
      return makeToken(partnerActor({ partnerId: pid, accountId }));
    };
    const person = { ...userEvents.userCreated.example, role: userRoleBits.admin, groupIds: [] };
    const [gone, lowered, inactive, other] = [
      await holder(31),
      await holder(32),
      await holder(33),
      await holder(34),
    ];
    // Before any event has come.
    harness.roles.set(31, null);
    harness.roles.set(32, userRoleBits.developer);
    const codes = async () =>
      Promise.all(
        [gone, lowered, inactive, other].map(async ({ token }) => (await fetchFile(token)).body.code),
      );
    expect(await codes()).toEqual(['E40102', 'E40102', undefined, undefined]);
    await harness.deliver(userEvents.userDeleted, { subject: 31, partnerId: pid, data: { userId: 31 } });
    await harness.deliver(userEvents.usersUpdated, {
      subject: pid,
      partnerId: pid,
      data: {
        partnerId: pid,
        people: [
          { ...person, userId: 32, role: userRoleBits.developer, endsSessions: true },
          { ...person, userId: 33, active: false, endsSessions: true },
          { ...person, userId: 34, endsSessions: false },
        ],
      },
    });
    const left = await harness.sql('SELECT account_id FROM calendar_tokens WHERE partner_id = $1', pid);
    expect(left).toEqual([{ account_id: 34 }]);
    // It does not come back with the role.
    harness.roles.set(32, userRoleBits.admin);
    expect(await codes()).toEqual(['E40102', 'E40102', 'E40102', undefined]);
  });

  it('opens nothing once the licence is over', async () => {
    const { token } = await makeToken();
    await harness.partner(pid, 0, { licenseExpiredOn: from(hour), revision: 5 });
    expect((await fetchFile(token)).status).toBe(200);
    harness.clock.advance(hour + day);
    const { body, status } = await fetchFile(token);
    expect([status, body.code]).toEqual([403, 'E40302']);
  });
});

describe('The calendar of a calendar program', () => {
  it('is RFC 5545: CRLF, lines of at most 75 bytes, escaped text, UTC', async () => {
    const name = `製品紹介, 第1部; "春\\夏" ${'とても長い名前'.repeat(20)}😀${'😀'.repeat(30)}`;
    await harness.upload({ fileName: 'long.uap', name, deliverReservationAt: from(2 * day) }, actor);
    const { token } = await makeToken();
    const reply = await fetchFile(token);
    expect(reply.headers['content-type']).toBe('text/calendar; charset=utf-8');
    const text = String(reply.body);
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    const whole = text.replaceAll('\r\n ', '');
    expect(whole).toContain('X-WR-CALNAME:Delivery calendar: Sakura\\, Ltd.\\; Tokyo\r\n');
    const [event, ...others] = eventsIn(text);
    expect(others).toEqual([]);
    const escaped = name.replaceAll('\\', '\\\\').replaceAll(',', '\\,').replaceAll(';', '\\;');
    const basic = (time: string) => time.replaceAll(/[-:]/g, '');
    expect(event).toMatchObject({
      SUMMARY: `Delivery: ${escaped}`,
      DTSTART: basic(from(2 * day)),
      DTSTAMP: basic(from(0)),
      TRANSP: 'TRANSPARENT',
    });
    expect(event?.['URL;VALUE=URI']).toMatch(
      /^https:\/\/portal\.example\.com\/partner\/files\/detail\/\?id=\d+$/,
    );
  });

  it('says it in the language of the tenant', async () => {
    await harness.partner(pid, 0, { lang: 'ja', name: '桜', licenseExpiredOn: from(9 * day), revision: 3 });
    const { token } = await makeToken();
    const text = await textOf(token);
    expect(text).toContain('X-WR-CALNAME:配信カレンダー: 桜\r\n');
    expect(eventsIn(text)).toMatchObject([{ SUMMARY: 'ライセンスの期限: 桜' }]);
  });

  it('keeps the UID of an entry that moves, and of one whose time has come', async () => {
    const id = await upload('uid.uap', from(day));
    await assign(id);
    await reserveBytes(id, 'uid.uap', from(2 * day));
    const { token } = await makeToken();
    const uids = async () => eventsIn(await textOf(token)).map(({ DTSTART, UID }) => [UID, DTSTART] as const);
    const before = await uids();
    expect(before).toHaveLength(2);
    await reserve(id, { updateReservationAt: from(3 * day) });
    await harness.call(
      fileRoutes.updateFile,
      { params: { pid, id }, body: { deliverReservationAt: from(2 * day) } },
      actor,
    );
    const after = await uids();
    expect(after.map(([uid]) => uid)).toEqual(before.map(([uid]) => uid));
    expect(after.map(([, at]) => at)).not.toEqual(before.map(([, at]) => at));
    harness.clock.advance(4 * day);
    await harness.runJobs();
    expect((await uids()).map(([uid]) => uid)).toEqual(before.map(([uid]) => uid));
  });

  it('goes from 90 days back to 400 ahead', async () => {
    const base = pid * 10;
    for (const [at, days] of [-91, -89, 399, 401].entries()) await push(base + at, from(days * day));
    const { token } = await makeToken();
    expect(eventsIn(await textOf(token)).map(({ UID }) => UID)).toEqual([
      `push-${base + 1}@portal.example.com`,
      `push-${base + 2}@portal.example.com`,
    ]);
  });
});
