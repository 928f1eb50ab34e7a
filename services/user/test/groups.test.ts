import { fileEvents, userRoutes } from '@portal/contracts';
import { partnerActor } from '@portal/testing';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startUserHarness, stateOf, type TestPartner, type UserHarness } from './user-harness.ts';

let harness: UserHarness;
let partner: TestPartner;

beforeAll(async () => {
  harness = await startUserHarness();
});
afterAll(async () => harness.stop());

const groupsOf = async (pid: number) =>
  harness.sql('SELECT * FROM groups WHERE partner_id = $1 ORDER BY id', pid);
const lastEvent = async () => (await harness.events()).findLast(({ type }) => type.startsWith('group.'));

describe('When a group is created', () => {
  beforeAll(async () => {
    partner = await harness.partner();
  });

  it('then it is stored and published', async () => {
    const { pid, actor } = partner;
    const { status, body } = await harness.call(
      userRoutes.createGroup,
      { params: { pid }, body: { name: 'Sales', note: 'North', role: 268_435_456 } },
      actor,
    );
    expect([status, body]).toEqual([201, { id: expect.any(Number) }]);
    const detail = await harness.call(userRoutes.getGroup, { params: { pid, id: body.id } }, actor);
    expect(detail.body).toEqual({
      fileCount: 0,
      id: body.id,
      name: 'Sales',
      note: 'North',
      role: 268_435_456,
      userCount: 0,
      createdAt: '2026-11-21T09:00:00Z',
      updatedAt: '2026-11-21T09:00:00Z',
    });
    // The log of the call goes with the change, and nothing is to be corrected of it.
    const logged = (await harness.events('operation.logged')).map(({ data }) => data);
    expect(logged).toMatchObject([
      { operation: 'createGroup', target: `/v1/partner/partners/${pid}/groups?id=${body.id}` },
    ]);
    expect(await lastEvent()).toMatchObject({
      type: 'group.created',
      subject: String(body.id),
      partnerid: pid,
      data: { groupId: body.id, name: 'Sales', note: 'North', role: 268_435_456 },
    });
  });

  it('then its name must be free, ignoring case, in this partner alone', async () => {
    const { pid, actor } = partner;
    const before = (await harness.events()).length;
    const taken = await harness.refused(
      userRoutes.createGroup,
      { params: { pid }, body: { name: 'sALES' } },
      actor,
    );
    expect([taken.status, taken.body.code, taken.body.errors[0]?.field]).toEqual([400, 'E40029', 'name']);
    expect(await groupsOf(pid)).toHaveLength(1);
    // The log of the refused call alone.
    expect((await harness.events()).slice(before).map(({ type }) => type)).toEqual(['operation.logged']);
    const other = await harness.partner();
    expect(await other.group('Sales')).toBeGreaterThan(0);
  });

  it('then of two of one name at the same moment one is refused', async () => {
    const racing = await harness.partner();
    const statuses = await Promise.all(
      ['Race', 'race', 'RACE', 'rAcE'].map(async (name) => {
        const reply = await harness.call(
          userRoutes.createGroup,
          { params: { pid: racing.pid }, body: { name } },
          racing.actor,
        );
        return reply.status;
      }),
    );
    expect(statuses.sort()).toEqual([201, 400, 400, 400]);
    expect(await groupsOf(racing.pid)).toHaveLength(1);
  });

  it.each([
    [{}, 'E40003', 'name'],
    [{ name: '   ' }, 'E40003', 'name'],
    [{ name: 7 }, 'E40002', 'name'],
    [{ name: 'a\u0000b' }, 'E40002', 'name'],
    [{ name: 'x'.repeat(256) }, 'E40002', 'name'],
    [{ name: 'ok', role: 1 }, 'E40002', 'role'],
    [{ name: 'ok', note: {} }, 'E40002', 'note'],
  ])('then %j is refused with %s on %s', async (payload, code, field) => {
    const before = await groupsOf(partner.pid);
    const { status, body } = await harness.raw({
      method: 'POST',
      url: `/v1/partner/partners/${partner.pid}/groups`,
      payload: JSON.stringify(payload),
      actor: partner.actor,
    });
    expect([status, body.code, body.errors[0]?.field]).toEqual([400, code, field]);
    expect(await groupsOf(partner.pid)).toEqual(before);
  });

  it.each(['{', '[]', '"text"', '7', 'null'])('then a body of %s is refused with E40001', async (payload) => {
    const { status, body } = await harness.raw({
      method: 'POST',
      url: `/v1/partner/partners/${partner.pid}/groups`,
      payload,
      actor: partner.actor,
    });
    expect([status, body.code]).toEqual([400, 'E40001']);
  });
});

describe('When a group is changed', () => {
  it('then what is absent stays, null clears the note, and it is told', async () => {
    const { pid, actor, group } = await harness.partner();
    const id = await group('Before');
    const put = async (body: object) =>
      harness.call(userRoutes.updateGroup, { params: { pid, id }, body }, actor);
    const stored = async () => (await groupsOf(pid))[0];

    harness.clock.advance(60_000);
    expect((await put({ note: 'A note' })).body).toEqual({});
    expect(await stored()).toMatchObject({ name: 'Before', note: 'A note', role: 0 });
    await put({ name: 'BEFORE', note: null });
    expect(await stored()).toMatchObject({ name: 'BEFORE', note: '' });
    expect((await stored())?.updated_at).toEqual(harness.clock.now());
    expect(await lastEvent()).toMatchObject({
      type: 'group.updated',
      data: { groupId: id, name: 'BEFORE', note: '', role: 0 },
    });
  });

  it('then another group keeps its name', async () => {
    const { pid, actor, group } = await harness.partner();
    await group('First');
    const id = await group('Second');
    const { body } = await harness.refused(
      userRoutes.updateGroup,
      { params: { pid, id }, body: { name: 'FIRST' } },
      actor,
    );
    expect([body.code, body.errors[0]?.field]).toEqual(['E40029', 'name']);
    expect((await groupsOf(pid))[1]).toMatchObject({ name: 'Second' });
  });
});

describe('When a group is deleted', () => {
  const remove = async ({ pid, actor }: TestPartner, id: number) =>
    harness.refused(userRoutes.deleteGroup, { params: { pid, id } }, actor);

  it('then it is gone and that is told', async () => {
    const own = await harness.partner();
    const id = await own.group('Gone');
    expect((await remove(own, id)).status).toBe(200);
    expect(await groupsOf(own.pid)).toEqual([]);
    expect(await lastEvent()).toMatchObject({ type: 'group.deleted', data: { groupId: id } });
    expect((await remove(own, id)).body.code).toBe('E40404');
  });

  it('then not while it has users', async () => {
    const own = await harness.partner();
    const id = await own.group('Full');
    const user = await own.user({ groupIds: [id] });
    expect((await remove(own, id)).body.code).toBe('E40027');
    expect(await groupsOf(own.pid)).toHaveLength(1);
    await harness.call(
      userRoutes.deleteUsers,
      { params: { pid: own.pid }, body: { ids: [user] } },
      own.actor,
    );
    expect((await remove(own, id)).status).toBe(200);
  });

  it('then not while files are delivered to it', async () => {
    const own = await harness.partner();
    const [id, other] = [await own.group('Files'), await own.group('Other')];
    const assign = async (groupIds: number[]) =>
      harness.deliver(fileEvents.fileAssigned, {
        subject: 5,
        partnerId: own.pid,
        data: {
          fileId: 5,
          groupIds,
          addedGroupIds: groupIds,
          removedGroupIds: [],
          notifyEmail: false,
          notifyPush: false,
        },
      });
    await assign([0, id]);
    expect((await remove(own, id)).body.code).toBe('E40028');
    await assign([other]);
    expect((await remove(own, id)).status).toBe(200);
    expect((await remove(own, other)).body.code).toBe('E40028');
    await harness.deliver(fileEvents.fileDeleted, { subject: 5, partnerId: own.pid, data: { fileId: 5 } });
    expect((await remove(own, other)).status).toBe(200);
  });
});

describe('When groups are asked for', () => {
  it('then all are given by id, name and role, and group 0 never', async () => {
    const { pid, actor, group } = await harness.partner();
    const [b, a] = [await group('b'), await group('A')];
    const { body } = await harness.call(
      userRoutes.listGroups,
      { params: { pid }, query: { all: 'true' } },
      actor,
    );
    expect(body).toEqual({
      groups: [
        { id: a, name: 'A', role: 0 },
        { id: b, name: 'b', role: 0 },
      ],
    });
    const zero = await harness.raw({ method: 'GET', url: `/v1/partner/partners/${pid}/groups/0`, actor });
    expect([zero.status, zero.body.code]).toEqual([404, 'E40401']);
  });

  it('then an id that no database could hold excludes nothing', async () => {
    const { pid, actor, group } = await harness.partner();
    await group('Still there');
    const query = { excludeIds: '0,99999999999999999999' };
    const { body } = await harness.call(userRoutes.listGroups, { params: { pid }, query }, actor);
    expect(body.groups).toHaveLength(1);
  });

  it('then the list tells how many files each delivers, and of no other tenant', async () => {
    const [own, other] = [await harness.partner(), await harness.partner()];
    const [many, one] = [await own.group('Many'), await own.group('One'), await own.group('None')];
    const assign = async ({ pid }: TestPartner, fileId: number, groupIds: number[]) =>
      harness.deliver(fileEvents.fileAssigned, {
        subject: fileId,
        partnerId: pid,
        data: { ...fileEvents.fileAssigned.example, fileId, groupIds },
      });
    await assign(own, 801, [0, many, one]);
    await assign(own, 802, [many]);
    await assign(other, 803, [await other.group('Many')]);
    const counts = async ({ actor, pid }: TestPartner) => {
      const { body } = await harness.call(userRoutes.listGroups, { params: { pid }, query: {} }, actor);
      return body.groups.map((group) => [group.name, 'fileCount' in group && group.fileCount]).toSorted();
    };
    expect(await counts(own)).toEqual([
      ['Many', 2],
      ['None', 0],
      ['One', 1],
    ]);
    expect(await counts(other)).toEqual([['Many', 1]]);
  });

  it('then who counts as a member is counted', async () => {
    const { pid, actor, group, user } = await harness.partner();
    const [id, empty] = [await group('Counted'), await group('Empty')];
    await user({ groupIds: [id] });
    await user({ groupIds: [id, id] });
    const { body } = await harness.call(userRoutes.listGroups, { params: { pid }, query: {} }, actor);
    expect(body.groups).toMatchObject([
      { id: empty, userCount: 0 },
      { id, userCount: 2 },
    ]);
  });

  it.each([
    ['order_key=__proto__', 'order_key'],
    ['page=0', 'page'],
    ['per_page=101', 'per_page'],
    ['order=up', 'order'],
    ['exclude_ids=1,x', 'exclude_ids'],
    ['name=%00', 'name'],
    ['all=perhaps', 'all'],
  ])('then %s is refused with E40002', async (query, field) => {
    const { pid, actor } = partner;
    const { status, body } = await harness.raw({
      method: 'GET',
      url: `/v1/partner/partners/${pid}/groups?${query}`,
      actor,
    });
    expect([status, body.code, body.errors[0]?.field]).toEqual([400, 'E40002', field]);
  });
});

describe('When groups.csv is asked for', () => {
  it('then every row streams, formulas are text and times are in the zone', async () => {
    const { pid, actor, group, user } = await harness.partner();
    const id = await group('=HYPERLINK("x")');
    const second = await group('Quoted "営業", 2');
    await user({ groupIds: [second] });
    // Names of before they were held to one line.
    const lines = ['a\n=1+1', 'a\r=1+1', '\t=1+1'];
    for (const line of lines) {
      await harness.sql('UPDATE groups SET name = $2, name_key = $2 WHERE id = $1', await group('Old'), line);
    }
    // More than one batch.
    await harness.sql(
      `INSERT INTO groups (partner_id, name, name_key, note, role, created_at, updated_at)
       SELECT $1, 'g' || n, 'g' || n, '', 0, now(), now() FROM generate_series(1, 2500) n`,
      pid,
    );
    const { status, headers, body } = await harness.raw({
      method: 'GET',
      url: `/v1/partner/partners/${pid}/groups/csv`,
      actor,
    });
    const text = String(body);
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers['content-disposition']).toContain('groups.csv');
    expect(text.startsWith('\uFEFFid,name,note,role,user_count,created_at,updated_at\r\n')).toBe(true);
    const rows = parse(text, { bom: true, columns: true }) as Record<string, string>[];
    expect(rows).toHaveLength(2505);
    expect(rows.slice(2, 5).map(({ name }) => name)).toEqual(['a\n=1+1', 'a\r=1+1', "'\t=1+1"]);
    expect(text).toContain('"a\n=1+1"');
    expect(text).toContain('"a\r=1+1"');
    expect(rows[0]).toMatchObject({ id: String(id), name: `'=HYPERLINK("x")`, user_count: '0' });
    expect(rows[1]).toMatchObject({ id: String(second), name: 'Quoted "営業", 2', user_count: '1' });
    expect(rows[0]?.created_at).toBe('2026-11-21 18:01:00');
    expect(rows[2504]?.name).toBe('g2500');
  });

  it('then the filters of the list hold', async () => {
    const { pid, actor, group } = await harness.partner();
    const ids = [await group('Sales'), await group('Field'), await group('Field sales')];
    const idsOf = async (query: string) => {
      const url = `/v1/partner/partners/${pid}/groups/csv?${query}`;
      const { body } = await harness.raw({ method: 'GET', url, actor });
      const rows = parse(String(body), { bom: true, columns: true }) as Record<string, string>[];
      return rows.map(({ id }) => Number(id));
    };
    expect(await idsOf('q=SALES')).toEqual([ids[0], ids[2]]);
    expect(await idsOf(`q=${ids[1]}`)).toEqual([ids[1]]);
    expect(await idsOf(`name=field&exclude_ids=${ids[1]}`)).toEqual([ids[2]]);
    expect(await idsOf('q=nothing')).toEqual([]);
  });

  it('then ids narrow it to those of the tenant, together with the filters', async () => {
    const { pid, actor, group } = await harness.partner();
    const foreign = await (await harness.partner()).group('Sales');
    const [sales, field] = [await group('Sales'), await group('Field'), await group('Other')];
    const get = async (query: string) =>
      harness.raw({ method: 'GET', url: `/v1/partner/partners/${pid}/groups/csv?${query}`, actor });
    const idsOf = async (query: string) => {
      const rows = parse(String((await get(query)).body), { bom: true, columns: true });
      return (rows as Record<string, string>[]).map(({ id }) => Number(id));
    };
    expect(await idsOf(`ids=${field},${sales},${foreign},99999999999999999999`)).toEqual([sales, field]);
    expect(await idsOf(`ids=${field},${sales}&q=SALES`)).toEqual([sales]);
    expect(await idsOf(`ids=${foreign}`)).toEqual([]);
    for (const wrong of ['5,', 'five', `${'1,'.repeat(5_000)}1`]) {
      const { body, status } = await get(`ids=${wrong}`);
      expect([status, body.code, body.errors[0]?.field]).toEqual([400, 'E40002', 'ids']);
    }
  });

  it('then another zone is heard and an unknown one refused', async () => {
    const { pid, actor, group } = await harness.partner();
    await group('One');
    const get = async (tz: string) =>
      harness.raw({ method: 'GET', url: `/v1/partner/partners/${pid}/groups/csv?tz=${tz}`, actor });
    expect(String((await get('UTC')).body)).toContain('2026-11-21 09:01:00');
    expect(String((await get('%2B09:00')).body)).toContain('2026-11-21 18:01:00');
    // The second one JavaScript knows, and PostgreSQL, which writes the times of users.csv, does not.
    for (const unknown of ['Moon/Base', 'SystemV/PST8']) {
      const { status, body } = await get(unknown);
      expect([status, body.code, body.errors[0]?.field]).toEqual([400, 'E40002', 'tz']);
    }
  });
});

describe('When the contract or the role does not allow it', () => {
  it('then developers and push senders read, and only admins write', async () => {
    const { pid, group } = await harness.partner();
    const id = await group('Read');
    for (const role of [1, 16, 17]) {
      const actor = partnerActor({ partnerId: pid, role });
      expect((await harness.call(userRoutes.listGroups, { params: { pid }, query: {} }, actor)).status).toBe(
        200,
      );
      const refused = await harness.refused(
        userRoutes.updateGroup,
        { params: { pid, id }, body: { name: 'Changed' } },
        actor,
      );
      expect([refused.status, refused.body.code]).toEqual([403, 'E40301']);
    }
    expect((await groupsOf(pid))[0]).toMatchObject({ name: 'Read' });
  });

  it('then a partner that no event told of is asked for once and kept', async () => {
    const pid = 77;
    const actor = partnerActor({ partnerId: pid });
    const list = async () => harness.refused(userRoutes.listGroups, { params: { pid }, query: {} }, actor);
    // The token of nobody's tenant.
    expect((await list()).body.code).toBe('E40102');
    harness.unheardPartners.set(pid, stateOf(pid, { licenseCount: 3 }));
    expect((await list()).status).toBe(200);
    harness.unheardPartners.delete(pid);
    expect((await list()).status).toBe(200);
    expect(await harness.sql('SELECT * FROM partners WHERE partner_id = $1', pid)).toEqual([
      {
        partner_id: pid,
        unit_id: 1,
        contract_rank: 'enterprise',
        license_type: 'user',
        license_count: 3,
        license_expired_on: null,
        user_device_limit: 0,
        two_admins: false,
        two_admins_at: null,
      },
    ]);
  });
});
