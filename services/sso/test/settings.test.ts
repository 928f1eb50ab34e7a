import { ssoRoutes as routes, ssoEvents, tenantEvents } from '@portal/contracts';
import { enterScope, withClient } from '@portal/database';
import { adminActor, partnerActor } from '@portal/testing';
import { base64, metadataXml } from '@portal/testing/saml-metadata';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  providerCertificate,
  type SsoHarness,
  startSsoHarness,
  type TestPartner,
  trying,
} from './sso-harness.ts';

let harness: SsoHarness;
let certificate: string;
let metadata: string;

beforeAll(async () => {
  harness = await startSsoHarness();
  certificate = await providerCertificate();
  metadata = base64(metadataXml({ certificates: [certificate] }));
});
afterAll(async () => harness.stop());

const attempt = trying(() => harness);
const create = async ({ admin, pid }: TestPartner, body: Record<string, unknown>) =>
  attempt(routes.createSso, { params: { pid }, body }, admin);
const update = async ({ admin, pid }: TestPartner, body: Record<string, unknown>) =>
  attempt(routes.updateSso, { params: { pid }, body }, admin);
const detail = async ({ admin, pid }: TestPartner) => {
  const reply = await harness.call(routes.getSso, { params: { pid } }, admin);
  expect(reply.status).toBe(200);
  return reply.body;
};
const told = async (pid: number) =>
  (await harness.events())
    .filter(({ partnerid, type }) => partnerid === pid && type.startsWith('setting.'))
    .map(({ data, type }) => [type, data] as const);

describe('When single sign-on is set up', () => {
  test('then it answers what was given, what the provider is to be told, and when its certificate ends', async () => {
    const own = await harness.partner();
    expect(await create(own, { metadata, defaultGroup: own.groupId, usernameAttribute: 'mail' })).toEqual([
      201,
    ]);
    expect(await detail(own)).toEqual({
      loginUrl: null,
      metadata,
      metadataUrl: null,
      defaultGroup: own.groupId,
      groupAttribute: null,
      usernameAttribute: 'mail',
      entityIdSuffix: null,
      useSsoFlag: true,
      ssoOnly: false,
      entityId: `https://portal.example.com/v1/user/login/sso/metadata/${own.code}`,
      acsUrl: 'https://portal.example.com/v1/user/login/sso/acs',
      spMetadataUrl: `https://portal.example.com/v1/user/login/sso/metadata?partner_code=${own.code}`,
      certificateExpiresAt: '2027-11-21T00:00:00Z',
      metadataFetchedAt: null,
      lastLoginAt: null,
      lastError: null,
      createdAt: '2026-11-21T09:00:00Z',
      updatedAt: '2026-11-21T09:00:00Z',
    });
    expect(await told(own.pid)).toEqual([
      [
        'setting.created',
        {
          partnerId: own.pid,
          revision: 1,
          entityId: `https://portal.example.com/v1/user/login/sso/metadata/${own.code}`,
          useSsoFlag: true,
          ssoOnly: false,
        },
      ],
    ]);
  });

  test('then a second one is E40032, and before the first there is nothing to read or change', async () => {
    const own = await harness.partner();
    expect(await attempt(routes.getSso, { params: { pid: own.pid } }, own.admin)).toEqual([404, 'E40401']);
    expect(await update(own, { ssoOnly: true })).toEqual([404, 'E40401']);
    expect(await create(own, { metadata })).toEqual([201]);
    expect(await create(own, { metadata })).toEqual([400, 'E40032']);
  });

  test('by two at the same moment, then one of them is E40032', async () => {
    const own = await harness.partner();
    const replies = await Promise.all([create(own, { metadata }), create(own, { metadata })]);
    expect(replies.sort()).toEqual([[201], [400, 'E40032']]);
  });

  test.each([
    {},
    { metadata: '', metadataUrl: '' },
    { metadata: null },
    { loginUrl: 'https://idp.example.com' },
  ])('without metadata %j, then it is E40003 on metadata', async (body) => {
    expect(await create(await harness.partner(), body)).toEqual([400, 'E40003', 'metadata']);
  });

  test.each([
    ['no base64', () => 'no base64!'],
    ['no XML', () => base64('hello')],
    ['no metadata', () => base64('<a/>')],
    ['no certificate', () => base64(metadataXml({ certificates: [] }))],
    ['an unreadable certificate', () => base64(metadataXml({ certificates: ['AAAA'] }))],
    [
      'a certificate for encryption alone',
      () => base64(metadataXml({ certificates: [certificate], use: 'use="encryption"' })),
    ],
    [
      'no place to sign in at',
      () => base64(metadataXml({ certificates: [certificate], signOn: 'http://idp.example.com' })),
    ],
    [
      'a script as the place to sign in at',
      () => base64(metadataXml({ certificates: [certificate], signOn: 'javascript:alert(1)' })),
    ],
    ['no entity id', () => base64(metadataXml({ certificates: [certificate], entityId: '' }))],
    [
      'a DOCTYPE',
      () => base64(metadataXml({ certificates: [certificate], before: '<!DOCTYPE a [<!ENTITY b "c">]>' })),
    ],
    [
      'an entity that nobody has declared',
      () => base64(metadataXml({ certificates: [certificate], entityId: '&b;' })),
    ],
    ['UTF-16', () => Buffer.from(metadataXml({ certificates: [certificate] }), 'utf16le').toString('base64')],
    ['elements 100 deep', () => base64(`${'<a>'.repeat(100)}${'</a>'.repeat(100)}`)],
    [
      'more than 1 MiB',
      () => base64(metadataXml({ certificates: [certificate], before: `<!--${' '.repeat(1024 * 1024)}-->` })),
    ],
    [
      'two providers',
      () => {
        const one = metadataXml({ certificates: [certificate] }).replace(/<\?xml.*?\?>/, '');
        return base64(
          `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${one}${one}</md:EntitiesDescriptor>`,
        );
      },
    ],
  ])('with metadata that is %s, then it is E40002 on metadata', async (_, made) => {
    expect(await create(await harness.partner(), { metadata: made() })).toEqual([400, 'E40002', 'metadata']);
  });

  test('with the metadata of a list of one provider, or with a key for anything, then it is taken', async () => {
    const one = metadataXml({ certificates: [certificate], use: '' }).replace(/<\?xml.*?\?>/, '');
    const list = `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${one}</md:EntitiesDescriptor>`;
    expect(await create(await harness.partner(), { metadata: base64(list) })).toEqual([201]);
  });

  test('while the provider changes over, then both certificates are kept, and the end of the first is told', async () => {
    const own = await harness.partner();
    const next = await providerCertificate(new Date('2029-01-01T00:00:00Z'));
    await create(own, { metadata: base64(metadataXml({ certificates: [next, certificate, next] })) });
    expect((await detail(own)).certificateExpiresAt).toBe('2027-11-21T00:00:00Z');
    const [row] = await harness.sql<{ provider: { certificates: string[] } }>(
      'SELECT provider FROM settings WHERE partner_id = $1',
      own.pid,
    );
    expect(row?.provider.certificates).toEqual([next, certificate]);
  });

  test.each([
    ['loginUrl', 'no address'],
    ['loginUrl', 'http://idp.example.com/sso'],
    ['loginUrl', 'https://somebody@idp.example.com/sso'],
    ['loginUrl', `https://idp.example.com/${'a'.repeat(2048)}`],
    ['loginUrl', 'javascript:alert(1)'],
    ['entityIdSuffix', 'a_b'],
    ['entityIdSuffix', 'a/b'],
    ['entityIdSuffix', 'a'.repeat(65)],
    ['groupAttribute', 'a'.repeat(256)],
    ['usernameAttribute', 'a\nb'],
    ['defaultGroup', 'Sales'],
    ['useSsoFlag', 'yes'],
    ['ssoOnly', 1],
  ])('with %s %j, then it is E40002 on that field', async (field, value) => {
    const [status, code, wrong] = await create(await harness.partner(), { metadata, [field]: value });
    expect([status, code, wrong]).toEqual([400, 'E40002', expect.stringMatching(snake(field))]);
  });

  test.each([0, 4_000_000])(
    'with the default group %d, which the tenant lacks, then it is E40404',
    async (defaultGroup) => {
      expect(await create(await harness.partner(), { metadata, defaultGroup })).toEqual([
        404,
        'E40404',
        'default_group',
      ]);
    },
  );

  test('with the group of another tenant, then it is E40404', async () => {
    const [own, other] = [await harness.partner(), await harness.partner()];
    expect(await create(own, { metadata, defaultGroup: other.groupId })).toEqual([
      404,
      'E40404',
      'default_group',
    ]);
  });

  test('with an entity id that another tenant has, then it is E40029 on the suffix', async () => {
    const own = await harness.partner({ partnerCode: 'acme' });
    const other = await harness.partner({ partnerCode: 'acme-eu' });
    expect(await create(other, { metadata })).toEqual([201]);
    expect(await create(own, { metadata, entityIdSuffix: 'eu' })).toEqual([
      400,
      'E40029',
      'entity_id_suffix',
    ]);
    expect(await create(own, { metadata, entityIdSuffix: 'us' })).toEqual([201]);
    expect((await detail(own)).entityId).toBe(
      'https://portal.example.com/v1/user/login/sso/metadata/acme-us',
    );
    expect(await update(own, { entityIdSuffix: 'eu' })).toEqual([400, 'E40029', 'entity_id_suffix']);
  });
});

/** The wire name. */
const snake = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

describe('When single sign-on is changed', () => {
  test('then what is absent stays, what is empty or null goes, and others are told', async () => {
    const own = await harness.partner();
    await create(own, {
      metadata,
      loginUrl: 'https://idp.example.com/other',
      groupAttribute: 'groups',
      entityIdSuffix: 'a',
    });
    expect(await update(own, { ssoOnly: true, loginUrl: '' })).toEqual([200]);
    expect(await detail(own)).toMatchObject({
      metadata,
      loginUrl: null,
      groupAttribute: 'groups',
      ssoOnly: true,
    });
    expect(await update(own, { groupAttribute: null, entityIdSuffix: null, useSsoFlag: false })).toEqual([
      200,
    ]);
    expect(await detail(own)).toMatchObject({ groupAttribute: null, useSsoFlag: false, ssoOnly: true });
    const entityId = `https://portal.example.com/v1/user/login/sso/metadata/${own.code}`;
    expect((await told(own.pid)).slice(1)).toEqual([
      [
        'setting.updated',
        { partnerId: own.pid, revision: 2, entityId: `${entityId}-a`, useSsoFlag: true, ssoOnly: true },
      ],
      ['setting.updated', { partnerId: own.pid, revision: 3, entityId, useSsoFlag: false, ssoOnly: true }],
    ]);
  });

  test('to no metadata, then it is E40003', async () => {
    const own = await harness.partner();
    await create(own, { metadata });
    expect(await update(own, { metadata: null })).toEqual([400, 'E40003', 'metadata']);
  });
});

describe('Who reaches the setting', () => {
  test('are company admins of the tenant, in a contract with single sign-on', async () => {
    const own = await harness.partner();
    const params = { pid: own.pid };
    const developer = partnerActor({ partnerId: own.pid, role: 16 });
    expect(await attempt(routes.getSso, { params }, developer)).toEqual([403, 'E40301']);
    const other = await harness.partner();
    expect(await attempt(routes.getSso, { params }, other.admin)).toEqual([404, 'E40402']);
    for (const contractRank of ['free', 'trial', 'entry'] as const) {
      const lesser = await harness.partner({ contractRank });
      expect(await create(lesser, { metadata })).toEqual([403, 'E40304']);
      expect(await attempt(routes.getSso, { params: { pid: lesser.pid } }, lesser.admin)).toEqual([
        403,
        'E40304',
      ]);
      for (const route of [
        routes.getPartnerSso,
        routes.createPartnerSso,
        routes.updatePartnerSso,
        routes.deletePartnerSso,
      ]) {
        expect(
          await attempt(route, { params: { pid: lesser.pid }, body: { metadata } }, adminActor()),
        ).toEqual([403, 'E40304']);
      }
    }
  });

  test('are administrators with the right, of their own unit', async () => {
    const own = await harness.partner({ unitId: 7 });
    const params = { pid: own.pid };
    const admin = adminActor({ role: 63, unitId: 7 });
    expect(await attempt(routes.createPartnerSso, { params, body: { metadata } }, admin)).toEqual([201]);
    expect(await attempt(routes.updatePartnerSso, { params, body: { ssoOnly: true } }, admin)).toEqual([200]);
    expect((await harness.call(routes.getPartnerSso, { params }, admin)).body.ssoOnly).toBe(true);
    const ofOther = adminActor({ role: 63, unitId: 8 });
    expect(await attempt(routes.getPartnerSso, { params }, ofOther)).toEqual([403, 'E40305']);
    expect(await attempt(routes.deletePartnerSso, { params }, ofOther)).toEqual([403, 'E40305']);
    expect(await attempt(routes.getPartnerSso, { params }, adminActor({ role: 15 }))).toEqual([
      403,
      'E40301',
    ]);
    expect(await attempt(routes.getPartnerSso, { params: { pid: 99_999 } }, adminActor())).toEqual([
      404,
      'E40402',
    ]);
    expect(await attempt(routes.deletePartnerSso, { params }, admin)).toEqual([200]);
    expect(await attempt(routes.deletePartnerSso, { params }, admin)).toEqual([404, 'E40401']);
    expect(await told(own.pid)).toEqual([
      ['setting.created', expect.objectContaining({ revision: 1 })],
      ['setting.updated', expect.objectContaining({ revision: 2 })],
      ['setting.deleted', { partnerId: own.pid, revision: 3 }],
    ]);
    expect(await attempt(routes.createPartnerSso, { params, body: { metadata } }, admin)).toEqual([201]);
  });
});

describe('When the partner changes', () => {
  test('its code, then the entity id follows, and others are told', async () => {
    const own = await harness.partner();
    await create(own, { metadata, entityIdSuffix: 'x' });
    const data = {
      ...tenantEvents.partnerState.parse(tenantEvents.partnerCreated.example),
      partnerId: own.pid,
      partnerCode: `New${own.pid}`,
      revision: 2,
    };
    await harness.deliver(tenantEvents.partnerUpdated, { subject: own.pid, partnerId: own.pid, data });
    const entityId = `https://portal.example.com/v1/user/login/sso/metadata/New${own.pid}-x`;
    expect(await detail(own)).toMatchObject({
      entityId,
      spMetadataUrl: `https://portal.example.com/v1/user/login/sso/metadata?partner_code=New${own.pid}`,
    });
    expect((await harness.events(ssoEvents.settingUpdated.type)).at(-1)?.data).toMatchObject({
      entityId,
      revision: 2,
    });
  });

  test('its code to one whose entity id another has, then its own stays', async () => {
    const own = await harness.partner({ partnerCode: 'moving' });
    await create(own, { metadata, entityIdSuffix: 'x' });
    await create(await harness.partner({ partnerCode: 'taken-x' }), { metadata });
    const data = {
      ...tenantEvents.partnerState.parse(tenantEvents.partnerCreated.example),
      partnerId: own.pid,
      partnerCode: 'taken',
      revision: 2,
    };
    await harness.deliver(tenantEvents.partnerUpdated, { subject: own.pid, partnerId: own.pid, data });
    expect((await detail(own)).entityId).toBe(
      'https://portal.example.com/v1/user/login/sso/metadata/moving-x',
    );
  });

  test('away from single sign-on, then it is refused at once; back, then the setting is there again', async () => {
    const own = await harness.partner();
    await create(own, { metadata });
    const rank = async (contractRank: 'entry' | 'standard', revision: number) =>
      harness.deliver(tenantEvents.partnerUpdated, {
        subject: own.pid,
        partnerId: own.pid,
        data: {
          ...tenantEvents.partnerState.parse(tenantEvents.partnerCreated.example),
          partnerId: own.pid,
          partnerCode: own.code,
          contractRank,
          revision,
        },
      });
    await rank('entry', 2);
    expect(await attempt(routes.getSso, { params: { pid: own.pid } }, own.admin)).toEqual([403, 'E40304']);
    await rank('standard', 3);
    expect((await detail(own)).metadata).toBe(metadata);
  });

  test('and it is gone already while its setting is there yet, then nothing is told', async () => {
    const own = await harness.partner();
    await create(own, { metadata });
    await withClient(harness.databaseUrl, async (another) => {
      await enterScope(another, harness.databaseUrl, { kind: 'partner', partnerId: own.pid });
      await another.query('BEGIN');
      await another.query('SELECT FROM settings WHERE partner_id = $1 FOR UPDATE', [own.pid]);
      await harness.deliver(tenantEvents.partnerDeleted, {
        subject: own.pid,
        partnerId: own.pid,
        data: { ...tenantEvents.partnerDeleted.example, partnerId: own.pid },
      });
      await harness.deliver(tenantEvents.partnerUpdated, {
        subject: own.pid,
        partnerId: own.pid,
        data: {
          ...tenantEvents.partnerState.parse(tenantEvents.partnerCreated.example),
          partnerId: own.pid,
          partnerCode: `New${own.pid}`,
          revision: 2,
        },
      });
      expect(await harness.sql('SELECT FROM settings WHERE partner_id = $1', own.pid)).toHaveLength(1);
      await another.query('ROLLBACK');
    });
    expect((await told(own.pid)).map(([type]) => type)).toEqual(['setting.created']);
  });

  test('to none, then all that is kept of it goes', async () => {
    const own = await harness.partner();
    await create(own, { metadata });
    await harness.deliver(tenantEvents.partnerDeleted, {
      subject: own.pid,
      partnerId: own.pid,
      data: { ...tenantEvents.partnerDeleted.example, partnerId: own.pid },
    });
    await expect
      .poll(
        harness.afterJobs(async () => harness.sql('SELECT 1 FROM settings WHERE partner_id = $1', own.pid)),
      )
      .toEqual([]);
  });
});
