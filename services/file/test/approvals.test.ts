import {
  approvalRoutes,
  deliveryRoutes,
  fileRoutes,
  formatDateTime,
  limits,
  previewRoutes,
} from '@portal/contracts';
import { partnerActor } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admin, developer, type FileHarness, someBytes, startFileHarness, stranger } from './file-harness.ts';

/** Changes that one admin asks for and another one decides on. */
let harness: FileHarness;
const pid = 1;
const minute = 60_000;
const second = partnerActor({ accountId: 3 });

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1);
  await harness.partner(2);
  await harness.group(3, 'Sales');
  await harness.group(4, 'Field');
  await harness.user(11, [3]);
  await harness.user(12, [4]);
});
afterAll(async () => harness.stop());

const inMinutes = (minutes: number) =>
  formatDateTime(new Date(harness.clock.now().getTime() + minutes * minute));
const settings = async (body: object, actor = admin) =>
  harness.refused(deliveryRoutes.updateDeliverySettings, { params: { pid }, body: body as never }, actor);
const required = async () =>
  (await harness.call(deliveryRoutes.getDeliverySettings, { params: { pid } }, admin)).body.approvalRequired;
const assign = async (id: number, groupIds: number[], more: object = {}) =>
  harness.refused(fileRoutes.assignGroups, { params: { pid, id }, body: { groupIds, ...more } }, admin);
const update = async (id: number, body: object) =>
  harness.refused(fileRoutes.updateFile, { params: { pid, id }, body }, admin);
const reserve = async (id: number, body: { updateReservationAt: string }) =>
  harness.refused(fileRoutes.reserveUpdate, { params: { pid, id }, body }, admin);
const approve = async (id: number, actor = second, body: object = {}) =>
  harness.refused(approvalRoutes.approveChange, { params: { pid, id }, body }, actor);
const decline = async (id: number, comment: string, actor = second) =>
  harness.refused(approvalRoutes.declineChange, { params: { pid, id }, body: { comment } }, actor);
const found = async (id: number) =>
  (await harness.call(approvalRoutes.getApproval, { params: { pid, id } }, admin)).body;
const list = async (query: object = {}) =>
  (await harness.call(approvalRoutes.listApprovals, { params: { pid }, query: query as never }, admin)).body;
const versionsOf = async (id: number) =>
  (await harness.call(deliveryRoutes.listVersions, { params: { pid, id } }, admin)).body.versions.map(
    ({ state, version }) => [version, state],
  );
const told = async (type: string, id: number) =>
  (await harness.events(type)).filter(({ subject }) => subject === String(id)).map(({ data }) => data);

/** The number of the last change that players of the tenant notice. */
const lastChange = async () => {
  const [own] = await harness.sql<{ change_counter: string }>(
    'SELECT change_counter FROM partners WHERE partner_id = $1',
    pid,
  );
  return Number(own?.change_counter);
};

/** The id of the request that a change became. */
function asked(reply: { status: number; body: object }): number {
  if (reply.status !== 202 || !('approvalId' in reply.body)) {
    throw new Error(JSON.stringify(reply));
  }
  return Number((reply.body as { approvalId?: number }).approvalId);
}

async function send(opened: { body: object }, text: string) {
  if (!('uploadId' in opened.body && 'signedUrl' in opened.body))
    throw new Error(JSON.stringify(opened.body));
  await harness.put(String(opened.body.signedUrl), someBytes(text));
  const uploadId = String(opened.body.uploadId);
  return harness.refused(fileRoutes.completeUpload, { params: { uploadId }, body: {} }, admin);
}

/** A file that the first group has, while nothing waits. */
async function fileOf(name: string): Promise<number> {
  const id = await harness.upload({ fileName: `${name}.uap`, bytes: someBytes('first') });
  asked(await assign(id, [3]));
  const [waiting] = (await list({ fileId: id })).approvals;
  expect((await approve(waiting?.id ?? 0)).body).toEqual({});
  return id;
}

describe('When a tenant turns approvals on', () => {
  it('then it takes two admins, admins alone, and once on another admin to turn off', async () => {
    expect(await required()).toBe(false);
    expect((await settings({ versionsKept: 10, approvalRequired: true })).body).toMatchObject({
      code: 'E40034',
      errors: [{ field: 'approval_required' }],
    });
    harness.withTwoAdmins.add(pid);
    expect((await settings({ versionsKept: 10, approvalRequired: true }, developer)).status).toBe(403);
    expect((await settings({ versionsKept: 10, approvalRequired: true })).body).toEqual({});
    expect((await settings({ versionsKept: 9 })).body).toEqual({});
    expect(await required()).toBe(true);
    const off = asked(await settings({ versionsKept: 10, approvalRequired: false }));
    expect(await required()).toBe(true);
    expect(await found(off)).toMatchObject({
      what: 'settings',
      state: 'waiting',
      file: null,
      preview: null,
      body: { versionsKept: 10, approvalRequired: false },
      by: { id: 1, name: 'Person 1' },
    });
    expect((await approve(off, admin)).body).toMatchObject({ code: 'E40301' });
    expect((await approve(off)).body).toEqual({});
    expect(await required()).toBe(false);
    const again = asked(await turnedOn());
    expect((await decline(again, 'Not now')).body).toEqual({});
    expect(await required()).toBe(true);
  });

  it('then what was not asked for stays as somebody has set it meanwhile', async () => {
    harness.withTwoAdmins.add(pid);
    expect((await settings({ versionsKept: 12, approvalRequired: true })).body).toEqual({});
    const off = asked(await settings({ approvalRequired: false }));
    expect(await found(off)).toMatchObject({ body: { approvalRequired: false } });
    expect((await found(off))?.body).not.toHaveProperty('versionsKept');
    expect((await settings({ versionsKept: 20 })).body).toEqual({});
    expect((await approve(off)).body).toEqual({});
    const present = await harness.call(deliveryRoutes.getDeliverySettings, { params: { pid } }, admin);
    expect(present.body).toEqual({ versionsKept: 20, approvalRequired: false });
    expect((await settings({ versionsKept: 10, approvalRequired: true })).body).toEqual({});
  });

  async function turnedOn() {
    await settings({ versionsKept: 10, approvalRequired: true });
    return settings({ versionsKept: 10, approvalRequired: false });
  }
});

describe('While approvals are on', () => {
  it('then an assignment waits with its effect, is told of, and is made in the name of who asked', async () => {
    const id = await harness.upload({ fileName: 'waits.uap', bytes: someBytes('first') });
    const request = asked(await assign(id, [3]));
    expect(await harness.delivered(11)).not.toContain(id);
    expect(harness.holds.filter(({ fileId }) => fileId === id)).toEqual([]);
    expect(await found(request)).toMatchObject({
      what: 'groups',
      state: 'waiting',
      file: { id, name: 'waits.uap' },
      body: { groupIds: [3] },
      preview: { gains: { users: 1, devices: 0, names: ['user 11'] }, loses: { users: 0 }, bytes: 0 },
      by: { id: 1, name: 'Person 1' },
      decidedBy: null,
      comment: null,
    });
    expect(await told('approval.requested', request)).toMatchObject([
      { approvalId: request, what: 'groups', fileId: id, name: 'waits.uap', requestedBy: 1 },
    ]);
    expect((await approve(request, second, { comment: 'Go on' })).body).toEqual({});
    expect(await harness.delivered(11)).toContain(id);
    expect(harness.holds.filter(({ fileId }) => fileId === id)).toHaveLength(1);
    expect(await found(request)).toMatchObject({
      state: 'approved',
      comment: 'Go on',
      decidedBy: { id: 3, name: 'Person 3' },
    });
    expect(await told('approval.decided', request)).toMatchObject([{ state: 'approved', decidedBy: 3 }]);
    expect((await approve(request)).body).toMatchObject({ code: 'E40034' });
    expect((await decline(request, 'Late')).body).toMatchObject({ code: 'E40034' });
  });

  it('then names and notes wait for nobody, nor what concerns a file that has no groups', async () => {
    const free = await harness.upload({ fileName: 'free.uap', bytes: someBytes('first') });
    expect((await send(await update(free, { fileName: 'free.uap', fileSize: 6 }), 'second')).body).toEqual(
      {},
    );
    const id = await fileOf('named');
    expect((await update(id, { name: 'Another', note: 'Said', versionNote: 'First' })).body).toEqual({});
    const at = inMinutes(60);
    expect(asked(await update(id, { name: 'Third', deliverReservationAt: at }))).toBeGreaterThan(0);
    const { body } = await harness.call(fileRoutes.getFile, { params: { pid, id } }, admin);
    expect(body).toMatchObject({ name: 'Another', note: 'Said', deliverReservationAt: null });
    // What is wrong is refused at once.
    expect((await assign(id, [99])).body).toMatchObject({ code: 'E40404' });
    expect((await reserve(id, { updateReservationAt: at })).body).toMatchObject({ code: 'E40003' });
  });

  it('then new bytes upload as ever, and wait once they are there', async () => {
    const id = await fileOf('bytes');
    const opened = await update(id, { fileName: 'bytes.uap', fileSize: 6, versionNote: 'Better' });
    const request = asked(await send(opened, 'second'));
    expect(await versionsOf(id)).toEqual([[1, 'current']]);
    expect(await found(request)).toMatchObject({
      what: 'file',
      body: { fileName: 'bytes.uap', fileSize: 6, versionNote: 'Better' },
      preview: { changes: { users: 1 } },
    });
    expect((await approve(request)).body).toEqual({});
    expect(await versionsOf(id)).toEqual([
      [2, 'current'],
      [1, 'former'],
    ]);
    const declined = asked(await send(await update(id, { fileName: 'bytes.uap', fileSize: 5 }), 'third'));
    expect((await decline(declined, 'No')).body).toEqual({});
    expect((await versionsOf(id))[0]).toEqual([2, 'current']);
  });

  it('then a reservation with bytes waits with its time, and one without, and taking it back', async () => {
    const id = await fileOf('reserved');
    const at = inMinutes(60);
    const opened = await reserve(id, {
      updateReservationAt: at,
      ...{ fileName: 'reserved.uap', fileSize: 6, versionNote: 'Soon' },
    });
    const timeOf = async () =>
      (await harness.call(fileRoutes.getFile, { params: { pid, id } }, admin)).body.updateReservationAt;
    expect(await timeOf()).toBeNull();
    const request = asked(await send(opened, 'second'));
    expect(await timeOf()).toBeNull();
    expect((await approve(request)).body).toEqual({});
    expect(await versionsOf(id)).toEqual([
      [2, 'reserved'],
      [1, 'current'],
    ]);
    expect(await timeOf()).toBe(at);
    const moved = asked(await reserve(id, { updateReservationAt: inMinutes(90) }));
    expect(await timeOf()).toBe(at);
    expect((await approve(moved)).body).toEqual({});
    expect(await timeOf()).toBe(inMinutes(90));
    const back = asked(await harness.refused(fileRoutes.cancelUpdate, { params: { pid, id } }, admin));
    expect((await approve(back)).body).toEqual({});
    expect(await versionsOf(id)).toEqual([[1, 'current']]);
  });

  it('then bytes whose time has come before they are approved are stale, as anything else at a time', async () => {
    const id = await fileOf('in-time');
    const bytes = { fileName: 'in-time.uap', fileSize: 6 };
    const late = asked(
      await send(await reserve(id, { updateReservationAt: inMinutes(30), ...bytes }), 'second'),
    );
    harness.clock.advance(31 * minute);
    expect((await approve(late)).body).toMatchObject({ code: 'E40034' });
    expect(await found(late)).toMatchObject({ state: 'stale' });
    expect(await versionsOf(id)).toEqual([[1, 'current']]);
    // An upload that takes longer than its time is asked about after it.
    const opened = await reserve(id, { updateReservationAt: inMinutes(30), ...bytes });
    harness.clock.advance(31 * minute);
    expect((await approve(asked(await send(opened, 'third.')))).body).toEqual({});
    expect((await versionsOf(id))[0]).toEqual([2, 'current']);
  });

  it('then bytes whose time cannot be any more end as outdated, and who sent them is told so', async () => {
    const id = await fileOf('overtaken');
    const bytes = { fileName: 'overtaken.uap', fileSize: 6 };
    const opened = await reserve(id, { updateReservationAt: inMinutes(30), ...bytes });
    const later = asked(await update(id, { deliverReservationAt: inMinutes(60) }));
    expect((await approve(later)).body).toEqual({});
    await send(opened, 'second');
    expect(await told('upload.failed', id)).toMatchObject([{ reason: 'outdated', openedBy: 1 }]);
    expect(await versionsOf(id)).toEqual([[1, 'current']]);
  });

  it('then what is reserved with bytes that were opened before leaves no time behind unless it is approved', async () => {
    const timeOf = async (id: number) =>
      (await harness.call(fileRoutes.getFile, { params: { pid, id } }, admin)).body.updateReservationAt;
    /** A request for bytes whose upload began while the file had no groups, so that its time is the file's. */
    const request = async (name: string) => {
      const id = await harness.upload({ fileName: `${name}.uap`, bytes: someBytes('first') });
      const bytes = { fileName: `${name}.uap`, fileSize: 6 };
      expect((await send(await update(id, bytes), 'second')).body).toEqual({});
      const at = inMinutes(60);
      const opened = await reserve(id, { updateReservationAt: at, ...bytes });
      await approve(asked(await assign(id, [3])));
      const waiting = asked(await send(opened, 'third.'));
      expect(await timeOf(id)).toBe(at);
      return { id, waiting };
    };
    const { id, waiting } = await request('declined');
    expect((await decline(waiting, 'No')).body).toEqual({});
    expect(await timeOf(id)).toBeNull();
    expect((await told('file.updated', id)).at(-1)).toMatchObject({ updateReservationAt: null });
    expect((await harness.refused(fileRoutes.cancelUpdate, { params: { pid, id } }, admin)).body).toEqual({});

    // An update has had its time since.
    const other = await request('restored');
    const soon = inMinutes(30);
    const restored = await harness.refused(
      deliveryRoutes.restoreVersion,
      { params: { pid, id: other.id, version: 1 }, body: { updateReservationAt: soon } },
      admin,
    );
    expect((await approve(asked(restored))).body).toEqual({});
    harness.clock.advance(31 * minute);
    expect((await decline(other.waiting, 'No')).body).toEqual({});
    expect(await timeOf(other.id)).toBe(soon);

    const late = await request('late');
    const before = await lastChange();
    harness.clock.advance(limits.approvalLifetime);
    await expect.poll(harness.afterJobs(async () => timeOf(late.id))).toBeNull();
    // Players are woken for this file alone.
    const changed = 'SELECT id FROM files WHERE partner_id = $1 AND changed_in > $2';
    expect(await harness.sql(changed, pid, before)).toEqual([{ id: late.id }]);
  });

  it('then the time of an update that took effect is not that of bytes that are to wait', async () => {
    const id = await fileOf('had-its-time');
    const bytes = { fileName: 'had-its-time.uap', fileSize: 6 };
    const past = inMinutes(30);
    await approve(asked(await send(await reserve(id, { updateReservationAt: past, ...bytes }), 'second')));
    harness.clock.advance(31 * minute);
    const opened = await reserve(id, { updateReservationAt: inMinutes(60), ...bytes });
    expect(opened.body).toHaveProperty('uploadId');
    const delivery = await update(id, { deliverReservationAt: inMinutes(40) });
    expect((await decline(asked(delivery), 'No')).body).toEqual({});
    expect((await reserve(id, { updateReservationAt: inMinutes(90) })).body).toMatchObject({
      code: 'E40003',
    });
    expect(
      (await harness.refused(fileRoutes.cancelUpdate, { params: { pid, id } }, admin)).body,
    ).toMatchObject({ code: 'E40034' });
    const { body } = await harness.call(fileRoutes.getFile, { params: { pid, id } }, admin);
    expect(body.updateReservationAt).toBe(past);
    await approve(asked(await send(opened, 'third.')));
    expect((await versionsOf(id))[0]).toEqual([3, 'reserved']);
  });

  it('then a restoration and a deletion wait, and what has another effect by then is stale for good', async () => {
    const id = await fileOf('stale');
    const newer = asked(await send(await update(id, { fileName: 'stale.uap', fileSize: 6 }), 'second'));
    await approve(newer);
    const restore = async () =>
      asked(
        await harness.refused(
          deliveryRoutes.restoreVersion,
          { params: { pid, id, version: 1 }, body: {} },
          admin,
        ),
      );
    const [one, other] = [await restore(), await restore()];
    expect((await approve(one)).body).toEqual({});
    expect((await approve(other)).body).toMatchObject({ code: 'E40034' });
    expect(await found(other)).toMatchObject({ state: 'stale', decidedBy: { id: 3 } });
    expect(await told('approval.decided', other)).toMatchObject([{ state: 'stale' }]);
    expect((await approve(other)).body).toMatchObject({ code: 'E40034' });
    // Somebody else gets the file now than the preview says.
    const deletion = async () =>
      asked(await harness.refused(fileRoutes.deleteFile, { params: { pid, id }, query: {} }, admin));
    const outdated = await deletion();
    await harness.user(13, [3]);
    expect((await approve(outdated)).body).toMatchObject({ code: 'E40034' });
    const [first, gone] = [await deletion(), await deletion()];
    expect((await approve(first)).body).toEqual({});
    expect((await approve(gone)).body).toMatchObject({ code: 'E40034' });
    expect(await found(gone)).toMatchObject({ state: 'stale', file: { id, name: 'stale.uap' } });
  });

  it('then groups are not held for an assignment that is stale', async () => {
    const id = await fileOf('stale-groups');
    const request = asked(await assign(id, [3, 4]));
    await harness.user(14, [4]);
    expect((await approve(request)).body).toMatchObject({ code: 'E40034' });
    expect(harness.holds.filter(({ fileId }) => fileId === id)).toMatchObject([{ groupIds: [3] }]);
  });

  it('then a token is held to before anybody is asked', async () => {
    const id = await fileOf('token');
    const { body } = await harness.call(
      previewRoutes.previewChange,
      { params: { pid, id }, body: { what: 'groups', body: { groupIds: [4] } } },
      admin,
    );
    const { previewToken } = body;
    expect((await assign(id, [3, 4], { previewToken })).body).toMatchObject({ code: 'E40034' });
    expect(asked(await assign(id, [4], { previewToken }))).toBeGreaterThan(0);
    const { collisions } = (
      await harness.call(
        previewRoutes.previewChange,
        { params: { pid, id }, body: { what: 'groups', body: { groupIds: [4] } } },
        admin,
      )
    ).body;
    expect(collisions.map(({ kind }) => kind)).toEqual(['approval']);
  });

  it('then of two who decide at once one does', async () => {
    const id = await harness.upload({ fileName: 'twice.uap', bytes: someBytes('first') });
    const request = asked(await assign(id, [3]));
    const third = partnerActor({ accountId: 4 });
    const replies = await Promise.all([
      approve(request),
      approve(request, third),
      decline(request, 'No', third),
      approve(request),
    ]);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await told('approval.decided', request)).toHaveLength(1);
    const groups = await harness.call(fileRoutes.getFile, { params: { pid, id } }, admin);
    const { state } = await found(request);
    expect(groups.body.groups).toHaveLength(state === 'approved' ? 1 : 0);
  });

  it('then nobody approves their own, who takes it back declines it, and a word is needed', async () => {
    const id = await fileOf('own');
    const request = asked(await assign(id, []));
    expect((await approve(request, admin)).body).toMatchObject({ code: 'E40301' });
    expect((await decline(request, ' ')).body).toMatchObject({
      code: 'E40003',
      errors: [{ field: 'comment' }],
    });
    expect((await decline(request, 'x'.repeat(limits.approvalCommentMaxLength + 1))).body).toMatchObject({
      code: 'E40002',
      errors: [{ field: 'comment' }],
    });
    expect((await decline(request, 'A mistake', admin)).body).toEqual({});
    expect(await found(request)).toMatchObject({
      state: 'declined',
      comment: 'A mistake',
      decidedBy: { id: 1 },
    });
    for (const actor of [developer, partnerActor({ accountId: 5, role: 2 })]) {
      expect((await approve(request, actor)).body).toMatchObject({ code: 'E40301' });
    }
    expect((await approve(999_999)).body).toMatchObject({ code: 'E40401' });
    const foreign = { params: { pid: 2, id: request }, body: {} };
    expect((await harness.refused(approvalRoutes.approveChange, foreign, stranger)).body).toMatchObject({
      code: 'E40401',
    });
  });

  it('then what nobody decides for 7 days has expired, at once, and is told of by a job', async () => {
    const id = await fileOf('expires');
    const request = asked(await assign(id, [4]));
    harness.clock.advance(limits.approvalLifetime - minute);
    expect((await list({ state: 'waiting', fileId: id })).approvals).toHaveLength(1);
    await harness.runJobs();
    const before = await lastChange();
    harness.clock.advance(minute);
    expect(await found(request)).toMatchObject({ state: 'expired' });
    expect((await approve(request)).body).toMatchObject({ code: 'E40034' });
    expect((await list({ state: 'expired', fileId: id })).approvals).toHaveLength(1);
    await expect
      .poll(
        harness.afterJobs(async () => told('approval.decided', request)),
        { timeout: 10_000 },
      )
      .toMatchObject([{ state: 'expired', decidedBy: null }]);
    expect(await lastChange()).toBe(before);
  });

  it('then the list is the newest first, narrowed by state, kind, file and who asked', async () => {
    const id = await fileOf('listed');
    const requests = [asked(await assign(id, [4])), asked(await assign(id, [3, 4]))];
    const ids = async (query: object) => (await list(query)).approvals.map((one) => one.id);
    expect(await ids({ fileId: id, state: 'waiting' })).toEqual(requests.toReversed());
    expect(await ids({ fileId: id, what: 'deletion' })).toEqual([]);
    expect(await ids({ fileId: id, what: 'groups,deletion', by: 1, state: 'waiting' })).toHaveLength(2);
    expect(await ids({ fileId: id, by: 2 })).toEqual([]);
    expect(await list({ fileId: id, perPage: 1, page: 2 })).toMatchObject({ totalCount: 3, totalPage: 3 });
  });
});
