import { createHash, randomBytes } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { ssoRoutes, ssoSignInRoutes, tenantEvents } from '@portal/contracts';
import {
  endSsoSessions,
  findPartner,
  openSsoSession,
  provideSsoUser,
  ssoLogoutSeal,
} from '@portal/contracts/internal';
import { AppError, newId as newUuid } from '@portal/kernel';
import { implement } from '@portal/service-kit';
import { partnerActor, type ServiceHarness, startServiceHarness } from '@portal/testing';
import { base64, metadataXml } from '@portal/testing/saml-metadata';
import {
  honest,
  type Keys,
  newId,
  newKeys,
  posted,
  redirected,
  type Said,
} from '@portal/testing/saml-provider';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ssoService } from '../src/service.ts';

/** What depends on the time, on chance, and on what other services refuse; the whole way is tested in the embedded host. */

const publicUrl = 'https://portal.example.com';
const pid = 1;
const admin = partnerActor({ partnerId: pid });
const codeVerifier = randomBytes(32).toString('base64url');
let harness: ServiceHarness;
let keys: Keys;
let refusedWith: AppError | undefined;
const opened: unknown[] = [];
/** How many calls to end sessions are answered before the identity service is away. */
let endsAnswered = Number.POSITIVE_INFINITY;
const ended: string[] = [];
/** What happens while a session is opened. */
let whileOpening = async () => {};

beforeAll(async () => {
  keys = await newKeys();
  const partner = {
    ...tenantEvents.partnerCreated.example,
    partnerId: pid,
    partnerCode: '1000',
    contractRank: 'enterprise',
    licenseExpiredOn: null,
    filePublicFlag: false,
  } as const;
  harness = await startServiceHarness(ssoService, {
    env: { PUBLIC_URL: publicUrl },
    peers: [
      implement(findPartner, async () => ({ ...partner, json: '' })),
      implement(provideSsoUser, async ({ body }) => {
        if (refusedWith) throw refusedWith;
        return { userId: 7, created: false, name: body.name, groups: [] };
      }),
      implement(endSsoSessions, async ({ body }) => {
        endsAnswered -= 1;
        if (endsAnswered < 0) throw new AppError('E50301');
        ended.push(...body.sessionIds);
        return {};
      }),
      implement(openSsoSession, async ({ body }) => {
        if (refusedWith) throw refusedWith;
        await whileOpening();
        opened.push(body);
        return {
          sessionId: newUuid(),
          role: 0,
          endsAt: '2027-01-01T00:00:00Z',
          reply: {
            accessToken: 'token',
            tokenType: 'Bearer' as const,
            expiresIn: 3600,
            twoFactorSetup: false,
            partner: {
              id: pid,
              name: 'Demo',
              partnerCode: '1000',
              licenseExpiredOnUnixtime: null,
              contractRank: 'enterprise' as const,
              licenseType: 'user' as const,
              json: '',
            },
            user: { id: 7, name: 'Taro', email: null, loginUserId: 'taro', role: 0, groups: [] },
          },
        };
      }),
    ],
  });
  await harness.deliver(tenantEvents.partnerCreated, { subject: pid, partnerId: pid, data: partner });
  const body = { metadata: base64(metadataXml({ certificates: [keys.certificate] })) };
  expect((await harness.call(ssoRoutes.createSso, { params: { pid }, body }, admin)).status).toBe(201);
});
afterAll(async () => harness.stop());
beforeEach(() => {
  refusedWith = undefined;
  whileOpening = async () => {};
  opened.length = 0;
  endsAnswered = Number.POSITIVE_INFINITY;
  ended.length = 0;
});

async function begin(): Promise<string> {
  const query = new URLSearchParams({
    partner_code: '1000',
    agent: 'test/1.0',
    redirect_url: 'http://localhost:1/',
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const reply = await harness.service.app.inject({ url: `/v1/user/login/sso?${query}` });
  const message = new URL(String(reply.headers.location)).searchParams.get('SAMLRequest') ?? '';
  return / ID="([^"]+)"/.exec(inflateRawSync(Buffer.from(message, 'base64')).toString())?.[1] ?? '';
}

const responseTo = (requestId: string, more: Partial<Said> = {}): string =>
  posted(
    honest(
      {
        issuer: 'https://idp.example.com/metadata',
        audience: `${publicUrl}/v1/user/login/sso/metadata/1000`,
        acsUrl: `${publicUrl}/v1/user/login/sso/acs`,
        requestId,
        now: harness.clock.now().getTime(),
        nameId: 'taro',
        ...more,
      },
      { keys },
    ),
  );

/** The status, and with what the browser goes on. */
async function accept(
  response: string,
): Promise<{ status: number; code: string | null; error: string | null }> {
  const reply = await harness.service.app.inject({
    method: 'POST',
    url: '/v1/user/login/sso/acs',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ SAMLResponse: response }).toString(),
  });
  const { searchParams } = new URL(reply.headers.location ?? 'http://localhost');
  return { status: reply.statusCode, code: searchParams.get('code'), error: searchParams.get('error') };
}

const redeem = async (code: string | null) =>
  harness.raw({
    method: 'POST',
    url: '/v1/user/login/sso/token',
    headers: { 'content-type': 'application/json', 'x-agent': 'test/1.0' },
    payload: JSON.stringify({ code, code_verifier: codeVerifier, platform: { uuid: 'device' } }),
  });

const lastError = async () => {
  const { body } = await harness.call(ssoRoutes.getSso, { params: { pid } }, admin);
  return body.lastError?.reason;
};

describe('A request', () => {
  test('When it is ten minutes old, then nothing answers it any more', async () => {
    const [early, late] = [await begin(), await begin()];
    harness.clock.advance(9 * 60_000);
    expect(await accept(responseTo(early))).toMatchObject({ status: 302, error: null });
    harness.clock.advance(60_000);
    expect(await accept(responseTo(late))).toMatchObject({ status: 400 });
  });

  test('When several answers come at the same time, then one is taken', async () => {
    const requestId = await begin();
    const outcomes = await Promise.all(Array.from({ length: 5 }, async () => accept(responseTo(requestId))));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([302, 400, 400, 400, 400]);
  });

  test('When an assertion comes to another request, then it is refused, whatever was signed', async () => {
    const assertionId = '_twice';
    expect(await accept(responseTo(await begin(), { assertionId }))).toMatchObject({ error: null });
    expect(await accept(responseTo(await begin(), { assertionId }))).toMatchObject({ error: 'E40037' });
    expect(await lastError()).toBe('replay');
  });

  test('When a tenant has very many, then the oldest are over', async () => {
    const oldest = await begin();
    await harness.sql(
      `INSERT INTO saml_requests (id, partner_id, kind, expires_at)
       SELECT '_flood' || i, 1, 'test', now() + interval '1 year' FROM generate_series(1, 10000) i`,
    );
    await begin();
    const [row] = await harness.sql<{ count: number }>(
      'SELECT count(*)::integer AS count FROM saml_requests',
    );
    expect(row?.count).toBeLessThanOrEqual(10_001);
    expect(await accept(responseTo(oldest))).toMatchObject({ status: 400 });
    await harness.sql(`DELETE FROM saml_requests`);
  });
});

describe('A code', () => {
  test('When it is a minute old, then it opens nothing', async () => {
    const { code } = await accept(responseTo(await begin()));
    harness.clock.advance(60_000);
    expect(await redeem(code)).toMatchObject({ status: 400, body: { code: 'E40004' } });
  });

  test('When several use it at the same time, then one session is opened, and no code is stored', async () => {
    const { code } = await accept(responseTo(await begin()));
    const rows = JSON.stringify(
      await harness.sql(`SELECT encode(code_hash, 'escape') AS hash, * FROM sign_in_codes`),
    );
    expect(rows).not.toContain(code);
    const outcomes = await Promise.all(Array.from({ length: 5 }, async () => redeem(code)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
    expect(opened).toHaveLength(1);
    expect(opened).toMatchObject([{ accountId: 7, agent: 'test/1.0', logsOut: true }]);
  });

  test('When it is for a player that does not say what it is, then it stays', async () => {
    const { code } = await accept(responseTo(await begin()));
    const url = '/v1/user/login/sso/token';
    const payload = JSON.stringify({ code, code_verifier: codeVerifier, platform: { uuid: 'device' } });
    const headers = { 'content-type': 'application/json', 'x-agent': 'no version' };
    expect(await harness.raw({ method: 'POST', url, headers, payload })).toMatchObject({
      body: { code: 'E40005' },
    });
    expect(await redeem(code)).toMatchObject({ status: 200 });
  });
});

describe('A person', () => {
  test('When they have signed in, then it is among the last ones, with the second', async () => {
    await accept(responseTo(await begin()));
    const { body } = await harness.call(ssoSignInRoutes.listSsoSignIns, { params: { pid } }, admin);
    const at = `${harness.clock.now().toISOString().slice(0, 19)}Z`;
    expect(body.signIns[0]).toEqual({ at, identifier: 'taro', reason: null });
  });

  test.for(['E40307', 'E40301'] as const)(
    'When the user service refuses with %s, then the browser is told',
    async (code) => {
      refusedWith = new AppError(code);
      expect(await accept(responseTo(await begin()))).toEqual({ status: 302, code: null, error: code });
      expect(await lastError()).toBe(code);
    },
  );

  test.for(['E40306', 'E40307', 'E40301', 'E40302'] as const)(
    'When the session is refused with %s, then the player is told',
    async (refusal) => {
      const { code } = await accept(responseTo(await begin()));
      refusedWith = new AppError(refusal);
      expect(await redeem(code)).toMatchObject({ status: 403, body: { code: refusal } });
      expect(await lastError()).toBe(refusal);
    },
  );
});

describe('A logout', () => {
  const logoutOf = (nameId: string, by = keys, destination = `${publicUrl}/v1/user/login/sso/slo`) =>
    redirected(
      'SAMLRequest',
      `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${newId()}" Version="2.0" IssueInstant="${harness.clock.now().toISOString()}" Destination="${destination}"><saml:Issuer>https://idp.example.com/metadata</saml:Issuer><saml:NameID>${nameId}</saml:NameID></samlp:LogoutRequest>`,
      { keys: by },
    );
  const bring = async (query: string) => {
    const url = `/v1/user/login/sso/slo?${query}`;
    const { statusCode } = await harness.service.app.inject({ url });
    return statusCode;
  };
  const known = async () =>
    (await harness.sql<{ id: string }>('SELECT session_id::text AS id FROM sso_sessions ORDER BY 1')).map(
      ({ id }) => id,
    );
  const signedIn = async (count: number) => {
    await harness.sql(
      `INSERT INTO sso_sessions (session_id, partner_id, name_id, ends_at)
       SELECT gen_random_uuid(), 1, 'taro', '2027-01-01' FROM generate_series(1, ${count})`,
    );
    return known();
  };
  beforeEach(async () => harness.sql('DELETE FROM sso_sessions'));

  test('When sessions cannot be ended, then they stay known, and the same logout ends them later', async () => {
    const sessions = await signedIn(1_500);
    const query = logoutOf('taro');
    endsAnswered = 1;
    expect(await bring(query)).toBe(503);
    expect([ended.length, await known()]).toEqual([1_000, sessions.filter((id) => !ended.includes(id))]);
    endsAnswered = 1;
    expect(await bring(query)).toBe(302);
    expect([ended.toSorted(), await known()]).toEqual([sessions, []]);
    const [later] = await signedIn(1);
    expect(await bring(query)).toBe(400);
    expect([ended.length, await known()]).toEqual([1_500, [later]]);
  });

  test('When it comes several times at once, then one is answered', async () => {
    await signedIn(3);
    const query = logoutOf('taro');
    const outcomes = await Promise.all(Array.from({ length: 4 }, async () => bring(query)));
    expect(outcomes.sort()).toEqual([302, 400, 400, 400]);
    expect(await known()).toEqual([]);
  });

  test('When it is not proved, then the notes of the tenant stay; what the provider itself gets wrong is noted', async () => {
    const notes = async () => [await lastError(), await harness.sql('SELECT * FROM sign_ins')];
    const before = await notes();
    const forged = logoutOf('taro', await newKeys());
    const unsigned = forged.replace(/&SigAlg.*/, '');
    for (const query of [forged, unsigned, `${forged}&RelayState=a&RelayState=b`]) {
      expect(await bring(query)).toBe(400);
    }
    expect(await notes()).toEqual(before);
    expect(await bring(logoutOf('taro', keys, 'https://elsewhere.example.com/slo'))).toBe(400);
    expect(await lastError()).toBe('destination: https://elsewhere.example.com/slo');
  });

  test('When a code was not used yet, then it opens nothing after that', async () => {
    const { code } = await accept(responseTo(await begin()));
    const other = await accept(responseTo(await begin(), { nameId: 'hanako' }));
    expect(await bring(logoutOf('taro'))).toBe(302);
    expect(await redeem(code)).toMatchObject({ status: 400, body: { code: 'E40004' } });
    expect(await redeem(other.code)).toMatchObject({ status: 200 });
  });

  test('When a session is being opened by a code, then it ends, and the code has opened nothing', async () => {
    const { code } = await accept(responseTo(await begin()));
    whileOpening = async () => {
      expect(await bring(logoutOf('taro'))).toBe(302);
    };
    expect(await redeem(code)).toMatchObject({ status: 400, body: { code: 'E40004' } });
    expect([opened.length, ended.length, await known()]).toEqual([1, 1, []]);
    whileOpening = async () => {
      expect(await bring(logoutOf('hanako'))).toBe(302);
    };
    expect(await redeem((await accept(responseTo(await begin()))).code)).toMatchObject({ status: 200 });
    expect([ended.length, (await known()).length]).toEqual([1, 1]);
    expect(await harness.sql(`SELECT 1 FROM sign_in_codes WHERE name_id = 'taro'`)).toEqual([]);
  });

  describe('that begins in the portal', () => {
    const opens = async (sessionIndex: string | null, nameId = 'taro') => {
      const id = newUuid();
      await harness.sql(
        `INSERT INTO sso_sessions (session_id, partner_id, name_id, session_index, ends_at)
         VALUES ($1, 1, $2, $3, '2027-01-01')`,
        id,
        nameId,
        sessionIndex,
      );
      return id;
    };
    const leave = async (sessionId: string) => {
      const token = harness.sealsOf('identity').seal(sessionId, ssoLogoutSeal, 'sso');
      const url = `/v1/user/login/sso/logout?token=${encodeURIComponent(token)}`;
      const { headers, statusCode } = await harness.service.app.inject({ url });
      return [statusCode, String(headers.location).split('?')[0]];
    };

    test('When the provider has opened more by the same session, then these end as well', async () => {
      const [own, player] = [await opens('s1'), await opens('s1')];
      const others = [await opens('s2'), await opens(null), await opens('s1', 'hanako')];
      endsAnswered = 0;
      expect((await leave(own))[0]).toBe(503);
      expect(await known()).toHaveLength(5);
      endsAnswered = 1;
      expect(await leave(own)).toEqual([302, 'https://idp.example.com/slo']);
      expect(ended.toSorted()).toEqual([own, player].sort());
      expect(await known()).toEqual(others.sort());
    });

    test('When the provider gave the session no index, then all of the person end', async () => {
      const sessions = [await opens(null), await opens('s1')];
      await opens(null, 'hanako');
      expect(await leave(sessions[0] ?? '')).toEqual([302, 'https://idp.example.com/slo']);
      expect(ended.toSorted()).toEqual(sessions.sort());
      expect(await known()).toHaveLength(1);
    });
  });
});

test('When somebody signs in, then the last 50 sign-ins of the tenant are kept, and those of others stay', async () => {
  const rows = async (partnerId: number) =>
    harness.sql('SELECT identifier FROM sign_ins WHERE partner_id = $1 ORDER BY id DESC', partnerId);
  await harness.sql(
    `INSERT INTO sign_ins (partner_id, at, identifier)
     SELECT partner, now(), 'old' || i FROM generate_series(1, 60) i, unnest(ARRAY[1, 40]) partner`,
  );
  await accept(responseTo(await begin()));
  const kept = await rows(1);
  expect(kept).toHaveLength(50);
  expect([kept[0], kept[49]]).toEqual([{ identifier: 'taro' }, { identifier: 'old12' }]);
  expect(await rows(40)).toHaveLength(60);
});

test('When all of it is over, then nothing of it is left but the last sign-ins', async () => {
  await begin();
  await accept(responseTo(await begin()));
  harness.clock.advance(60 * 24 * 3_600_000);
  await harness.runJobs();
  for (const table of ['saml_requests', 'sign_in_codes', 'seen_messages', 'sso_sessions', 'setting_tests']) {
    expect([table, await harness.sql(`SELECT * FROM ${table}`)]).toEqual([table, []]);
  }
  expect(await harness.sql('SELECT * FROM sign_ins WHERE partner_id = $1', pid)).not.toEqual([]);
});
