import { identityRoutes, sessionRoutes, twoFactorRoutes } from '@portal/contracts';
import { type ServiceHarness, startServiceHarness } from '@portal/testing';
import { Secret, TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { identityService } from '../src/service.ts';
import { bearer, platform, signIns } from './calls.ts';
import { password, peers } from './peers.ts';

let harness: ServiceHarness;
let generation = 0;
const wrong = new Map<number, number>();
const { outcome, player } = signIns(() => harness);

const minute = 60_000;
const env = { DEMO: '0', ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: password };

beforeAll(async () => {
  harness = await startServiceHarness(identityService, {
    peers: peers({ generation: () => generation, wrong, twoFactor }),
    env,
  });
  await harness.sql(
    `INSERT INTO admins (name, email, role, unit_id, password_hash, created_at, updated_at)
     SELECT 'Of a unit', 'unit@example.com', 63, 5, password_hash, now(), now() FROM admins WHERE id = 1`,
  );
});
/** What the user service keeps of it. */
async function twoFactor(accountId: number): Promise<boolean> {
  const [known] = await harness.sql(
    `SELECT 1 FROM two_factors WHERE account_kind = 'account' AND account_id = $1 AND enabled_at IS NOT NULL`,
    accountId,
  );
  return known !== undefined;
}

/** Nobody is locked, and nobody has two factors. */
afterEach(async () => {
  generation = 0;
  for (const table of ['two_factors', 'recovery_codes', 'challenges', 'security_settings', 'sessions']) {
    await harness.sql(`DELETE FROM ${table}`);
  }
  await harness.sql('UPDATE admins SET wrong_passwords = 0, locked_until = NULL');
  wrong.clear();
});
afterAll(async () => harness.stop());

interface Answer {
  readonly status: number;
  readonly body: {
    readonly code?: string;
    readonly errors?: readonly { readonly field: string }[];
    readonly challenge?: string;
    readonly accessToken?: string;
    readonly twoFactorSetup?: boolean;
    readonly recoveryCodes?: readonly string[];
    readonly secret?: string;
    readonly otpauthUrl?: string;
  };
}

/** What both kinds of people do. */
const kinds = {
  admin: {
    path: '/v1/admin',
    id: 1,
    accountKind: 'admin',
    partnerId: null,
    login: async (presented = password, email = 'admin@example.com') =>
      send('POST', '/v1/admin/login', undefined, { email, password: presented }),
    change: identityRoutes.changeAdminPassword,
  },
  partner: {
    path: '/v1/partner',
    id: 12,
    accountKind: 'account',
    partnerId: 1,
    login: async (presented = password, email = 'partner@example.com') =>
      send('POST', '/v2/partner/login', undefined, { partner_code: '1000', email, password: presented }),
    change: identityRoutes.changePartnerPassword,
  },
} as const;
type Kind = keyof typeof kinds;

async function send(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  token: string | undefined,
  body?: object,
): Promise<Answer> {
  return harness.raw({
    method,
    url,
    headers: token === undefined ? {} : bearer(token),
    ...(body && { payload: JSON.stringify(body) }),
  });
}

/** The status of an answer, with the code and the fields of a refusal. */
const told = ({ body, status }: Answer) =>
  status < 400 ? status : [body.code, ...(body.errors ?? []).map(({ field }) => field)].join(' ');

const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: harness.clock.now().getTime() + steps * 30_000,
  });
const nextStep = () => harness.clock.advance(30_000);
/** A code of six digits that is none of those that are good now. */
const wrongCode = (secret: string) =>
  ['000000', '111111', '222222', '333333'].find(
    (code) => ![-1, 0, 1].some((steps) => codeOf(secret, steps) === code),
  ) ?? '';

/** Somebody's password is right in a player. */
async function playerOf(email: string): Promise<void> {
  const { body } = await harness.refused(identityRoutes.partnerLogin, {
    body: { partnerCode: '1000', email, password, platform },
  });
  // A company admin is no user, and enters none.
  expect(body.code).toBe('E40301');
}

async function signedIn(kind: Kind): Promise<string> {
  const { body, status } = await kinds[kind].login();
  expect(status).toBe(200);
  return body.accessToken ?? '';
}

async function begin(kind: Kind, token: string): Promise<string> {
  const { body, status } = await send('POST', `${kinds[kind].path}/two_factor`, token, { password });
  expect(status).toBe(200);
  return body.secret ?? '';
}

/** Somebody who has two factors and is signed in; the code of this step is used. */
async function enabled(kind: Kind, given?: string) {
  const token = given ?? (await signedIn(kind));
  const secret = await begin(kind, token);
  const { body, status } = await send('PUT', `${kinds[kind].path}/two_factor`, token, {
    code: codeOf(secret),
  });
  expect(status).toBe(200);
  nextStep();
  return { token, secret, recoveryCodes: body.recoveryCodes ?? [] };
}

async function challenged(kind: Kind): Promise<string> {
  const { body, status } = await kinds[kind].login();
  expect([status, body.code]).toEqual([401, 'E40103']);
  return body.challenge ?? '';
}
const answer = async (kind: Kind, challenge: string, code: string) =>
  send('POST', `${kinds[kind].path}/login/second_factor`, undefined, { challenge, code });

const mails = async () => (await harness.mails()).map(({ content }) => content);
const alive = async (token: string) => outcome(identityRoutes.validateToken, token);

describe.each(['admin', 'partner'] as const)('When somebody of the kind %s turns two factors on', (kind) => {
  const url = `${kinds[kind].path}/two_factor`;
  const state = async (token: string) => (await send('GET', url, token)).body;

  it('then a password makes a secret, and a code of it turns them on', async () => {
    const [token, other] = [await signedIn(kind), await signedIn(kind)];
    expect(await state(token)).toEqual({ enabled: false, required: false, recoveryCodesLeft: 0 });
    const { body } = await send('POST', url, token, { password });
    expect(body.secret).toMatch(/^[A-Z2-7]{32,}$/);
    const address = new URL(body.otpauthUrl ?? '');
    expect([address.protocol, address.host, address.searchParams.get('secret')]).toEqual([
      'otpauth:',
      'totp',
      body.secret,
    ]);
    expect(decodeURIComponent(address.pathname)).toContain(`${kind}@example.com`);
    // Nothing is on yet.
    expect(await state(token)).toMatchObject({ enabled: false });
    expect((await kinds[kind].login()).status).toBe(200);
    const [row] = await harness.sql<{ secret: Buffer }>('SELECT secret FROM two_factors');
    expect(row?.secret.toString('latin1')).not.toContain(body.secret);

    const before = (await mails()).length;
    const put = await send('PUT', url, token, { code: codeOf(body.secret ?? '') });
    expect(put.status).toBe(200);
    expect(new Set(put.body.recoveryCodes).size).toBe(10);
    expect(await state(token)).toEqual({ enabled: true, required: false, recoveryCodesLeft: 10 });
    expect([await alive(token), await alive(other)]).toEqual([200, 'E40102']);
    expect((await mails()).slice(before)).toMatchObject([
      { template: 'twoFactorOn', language: kind === 'admin' ? 'en' : null },
    ]);
    const { accountKind, id, partnerId } = kinds[kind];
    expect((await harness.events('two_factor.changed')).at(-1)).toMatchObject({
      partnerid: partnerId,
      data: { accountKind, accountId: id, enabled: true, revision: 1 },
    });
    const stored = JSON.stringify(await harness.sql('SELECT * FROM recovery_codes'));
    for (const code of put.body.recoveryCodes ?? []) expect(stored).not.toContain(code);
  });

  it('then what does not fit is refused: a wrong password, on twice, a code of no secret', async () => {
    const token = await signedIn(kind);
    expect(told(await send('POST', url, token, { password: 'wrong' }))).toBe('E40002 password');
    expect(told(await send('POST', url, token, {}))).toBe('E40003 password');
    expect(told(await send('PUT', url, token, { code: '123456' }))).toBe('E40034');
    expect(told(await send('PUT', url, token, {}))).toBe('E40003 code');
    expect(told(await send('DELETE', url, token, { code: '123456' }))).toBe('E40034');
    expect(told(await send('POST', `${url}/recovery_codes`, token, { code: '123456' }))).toBe('E40034');
    const { secret } = await enabled(kind, token);
    expect(told(await send('POST', url, token, { password }))).toBe('E40034');
    expect(told(await send('POST', url, token, { password: 'wrong' }))).toBe('E40034');
    expect(told(await send('PUT', url, token, { code: codeOf(secret) }))).toBe('E40034');
  });

  it('then a second secret ends the first, and a wrong code turns nothing on', async () => {
    const token = await signedIn(kind);
    const first = await begin(kind, token);
    const second = await begin(kind, token);
    expect(first).not.toBe(second);
    expect(told(await send('PUT', url, token, { code: codeOf(first) }))).toBe('E40002 code');
    expect(told(await send('PUT', url, token, { code: codeOf(second, 3) }))).toBe('E40002 code');
    expect(told(await send('PUT', url, token, { code: codeOf(second, 1) }))).toBe(200);
  });

  it('with one code many times at once, then they are on once, with ten recovery codes', async () => {
    const token = await signedIn(kind);
    const secret = await begin(kind, token);
    const code = codeOf(secret);
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () => send('PUT', url, token, { code })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await state(token)).toMatchObject({ enabled: true, recoveryCodesLeft: 10 });
  });
});

describe.each(['admin', 'partner'] as const)('When somebody of the kind %s has two factors', (kind) => {
  const { path } = kinds[kind];
  const url = `${path}/two_factor`;

  it('then the right password gets a challenge, and the code with it signs in', async () => {
    const { secret } = await enabled(kind);
    const challenge = await challenged(kind);
    const { body, status } = await answer(kind, challenge, codeOf(secret));
    expect([status, body.twoFactorSetup]).toEqual([200, false]);
    expect(await alive(body.accessToken ?? '')).toBe(200);
    expect((await harness.events('operation.logged')).at(-1)?.data).toMatchObject({
      operation: `${kind}SecondFactor`,
      accountId: kinds[kind].id,
      result: '200',
    });
    // Used.
    nextStep();
    expect(told(await answer(kind, challenge, codeOf(secret)))).toBe('E40004');
    expect(told(await kinds[kind].login('wrong'))).toBe('E40101');
    expect(told(await answer(kind, '', '123456'))).toBe('E40003 challenge');
    expect(told(await answer(kind, 'x', ''))).toBe('E40003 code');
    expect(told(await answer(kind, 'x', '123456'))).toBe('E40004');
  });

  it('then codes of the steps around are good, and none of a step at or before the last one used', async () => {
    const { secret } = await enabled(kind);
    const late = await answer(kind, await challenged(kind), codeOf(secret, -1));
    // That was the code of PUT.
    expect(told(late)).toBe('E40101');
    expect(told(await answer(kind, await challenged(kind), codeOf(secret, 2)))).toBe('E40101');
    expect(told(await answer(kind, await challenged(kind), codeOf(secret, 1)))).toBe(200);
    for (const steps of [-1, 0, 1]) {
      expect(told(await answer(kind, await challenged(kind), codeOf(secret, steps)))).toBe('E40101');
    }
    nextStep();
    nextStep();
    expect(told(await answer(kind, await challenged(kind), codeOf(secret, 0)))).toBe(200);
  });

  it('then one code, or one recovery code, passes once of many at once', async () => {
    const { recoveryCodes, secret } = await enabled(kind);
    for (const code of [codeOf(secret), recoveryCodes[0] ?? '']) {
      const challenges = await Promise.all(Array.from({ length: 4 }, async () => challenged(kind)));
      const answers = await Promise.all(challenges.map(async (challenge) => answer(kind, challenge, code)));
      expect(answers.map(told).sort()).toEqual([200, 'E40101', 'E40101', 'E40101']);
    }
  });

  it('then a recovery code serves in any case and without hyphens, once', async () => {
    const { recoveryCodes, token } = await enabled(kind);
    const [first = '', second = '', third = ''] = recoveryCodes;
    expect(told(await answer(kind, await challenged(kind), first.replaceAll('-', '').toUpperCase()))).toBe(
      200,
    );
    expect(told(await answer(kind, await challenged(kind), first))).toBe('E40101');
    expect((await send('GET', url, token)).body).toMatchObject({ recoveryCodesLeft: 9 });
    const renewed = await send('POST', `${url}/recovery_codes`, token, { code: second });
    expect([renewed.status, renewed.body.recoveryCodes?.length]).toEqual([200, 10]);
    expect(told(await answer(kind, await challenged(kind), third))).toBe('E40101');
    expect(told(await answer(kind, await challenged(kind), renewed.body.recoveryCodes?.[0] ?? ''))).toBe(200);
    expect(told(await send('DELETE', url, token, { code: renewed.body.recoveryCodes?.[1] ?? '' }))).toBe(200);
  });

  it('then a challenge has five tries and five minutes, and another stays good', async () => {
    const { secret } = await enabled(kind);
    const [one, another] = [await challenged(kind), await challenged(kind)];
    const tries = await Promise.all(
      Array.from({ length: 5 }, async () => answer(kind, one, wrongCode(secret))),
    );
    expect(tries.map(told)).toEqual(Array(5).fill('E40101'));
    expect(told(await answer(kind, one, codeOf(secret)))).toBe('E40004');
    expect(told(await answer(kind, another, codeOf(secret)))).toBe(200);
    const [old, young] = [await challenged(kind), await challenged(kind)];
    harness.clock.advance(5 * minute - 1);
    expect(told(await answer(kind, young, codeOf(secret)))).toBe(200);
    harness.clock.advance(1);
    nextStep();
    expect(told(await answer(kind, old, codeOf(secret)))).toBe('E40004');
  });

  it('then a challenge of the other kind, or from before another password, is none', async () => {
    const { secret, token } = await enabled(kind);
    const other = kind === 'admin' ? 'partner' : 'admin';
    const challenge = await challenged(kind);
    expect(told(await answer(other, challenge, codeOf(secret)))).toBe('E40004');
    const next = 'Another1password';
    await harness.call(kinds[kind].change, { body: { password: next }, headers: bearer(token) });
    generation += 1;
    expect(told(await answer(kind, challenge, wrongCode(secret)))).toBe('E40004');
    nextStep();
    expect(told(await answer(kind, challenge, codeOf(secret)))).toBe('E40004');
    await harness.call(kinds[kind].change, { body: { password }, headers: bearer(token) });
  });

  it('then wrong codes lock the account with the tenth, at sign-in and elsewhere, and a right password takes none back', async () => {
    const { recoveryCodes, secret, token } = await enabled(kind);
    const good = await challenged(kind);
    for (let n = 0; n < 4; n += 1) {
      expect(told(await answer(kind, await challenged(kind), wrongCode(secret)))).toBe('E40101');
    }
    for (let n = 0; n < 3; n += 1) {
      expect(told(await send('DELETE', url, token, { code: wrongCode(secret) }))).toBe('E40002 code');
    }
    for (let n = 0; n < 2; n += 1) {
      const wrong = { code: n === 0 ? 'no such code' : wrongCode(secret) };
      expect(told(await send('POST', `${url}/recovery_codes`, token, wrong))).toBe('E40002 code');
    }
    // Nine by now; one's own password takes none back either.
    const change = { current_password: password, password };
    expect(told(await send('PUT', `${path}/password`, token, change))).toBe('E40002 password');
    await challenged(kind);
    // Nor does the sign-in to a player, which asks for no code.
    if (kind === 'partner') await playerOf('partner@example.com');
    expect(told(await answer(kind, await challenged(kind), wrongCode(secret)))).toBe('E40101');
    expect(told(await kinds[kind].login())).toBe('E40101');
    expect(told(await answer(kind, good, codeOf(secret)))).toBe('E40101');
    expect(told(await send('DELETE', url, token, { code: recoveryCodes[0] ?? '' }))).toBe('E40002 code');
  });

  it('then a right code takes the wrong ones back', async () => {
    const { secret } = await enabled(kind);
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 9; n += 1) await answer(kind, await challenged(kind), wrongCode(secret));
      nextStep();
      expect(told(await answer(kind, await challenged(kind), codeOf(secret)))).toBe(200);
    }
  });

  it('then a code turns them off, which ends the other sessions, and a mail tells', async () => {
    const { secret, token } = await enabled(kind);
    const challenge = await challenged(kind);
    const { body } = await answer(kind, await challenged(kind), codeOf(secret));
    nextStep();
    const before = (await mails()).length;
    expect(told(await send('DELETE', url, token, { code: wrongCode(secret) }))).toBe('E40002 code');
    expect(told(await send('DELETE', url, token, { code: codeOf(secret) }))).toBe(200);
    expect([await alive(token), await alive(body.accessToken ?? '')]).toEqual([200, 'E40102']);
    expect((await mails()).slice(before)).toMatchObject([{ template: 'twoFactorOff' }]);
    expect((await harness.events('two_factor.changed')).at(-1)).toMatchObject({
      data: { enabled: false, revision: 2 },
    });
    expect(told(await kinds[kind].login())).toBe(200);
    nextStep();
    expect(told(await answer(kind, challenge, codeOf(secret)))).toBe('E40004');
    expect(await harness.sql('SELECT 1 FROM recovery_codes')).toEqual([]);
    expect((await enabled(kind, token)).secret).not.toBe(secret);
  });

  it('then a reset of the password leaves them', async () => {
    const { token } = await enabled(kind);
    await harness.call(kinds[kind].change, {
      body: { password: 'Another1password' },
      headers: bearer(token),
    });
    await harness.call(kinds[kind].change, { body: { password }, headers: bearer(token) });
    await challenged(kind);
  });
});

describe('When two factors are required', () => {
  const settings = '/v1/partner/partners/1/security_settings';
  const platform = '/v1/admin/security_settings';
  const required = { two_factor_required: true };

  it.each([
    ['admin', platform],
    ['partner', settings],
  ] as const)(
    'of the kind %s, then who has none gets a token that may set them up alone',
    async (kind, at) => {
      const { path } = kinds[kind];
      const before = await signedIn(kind);
      expect((await send('GET', at, before)).body).toEqual({ twoFactorRequired: false });
      expect(told(await send('PUT', at, before, required))).toBe(200);
      // Who is signed in goes on.
      expect((await send('GET', at, before)).body).toEqual({ twoFactorRequired: true });
      expect((await send('GET', `${path}/two_factor`, before)).body).toMatchObject({ required: true });

      const { body, status } = await kinds[kind].login();
      expect([status, body.twoFactorSetup]).toEqual([200, true]);
      const small = body.accessToken ?? '';
      const refused: [method: 'GET' | 'PUT' | 'DELETE', url: string][] = [
        ['GET', `${path}/sessions`],
        ['DELETE', `${path}/sessions`],
        ['GET', `${path}/preferences`],
        ['PUT', `${path}/preferences`],
        ['PUT', `${path}/password`],
        ['GET', at],
        ['PUT', at],
        ['DELETE', `${path}/two_factor`],
      ];
      for (const [method, url] of refused)
        expect([url, told(await send(method, url, small, {}))]).toEqual([url, 'E40301']);
      expect(told(await send('GET', `${path}/two_factor`, small))).toBe(200);
      expect(told(await send('GET', '/v1/token/validate', small))).toBe(200);
      const refresh = async () => (await send('GET', '/v2/oauth2/token', small)).body.accessToken ?? '';
      expect(told(await send('GET', at, await refresh()))).toBe('E40301');

      const secret = await begin(kind, small);
      expect(told(await send('PUT', `${path}/two_factor`, small, { code: codeOf(secret) }))).toBe(200);
      const full = await refresh();
      expect(told(await send('GET', at, full))).toBe(200);
      nextStep();
      // They cannot be turned off, with a good code neither.
      expect(told(await send('DELETE', `${path}/two_factor`, full, { code: codeOf(secret) }))).toBe('E40034');
      const again = await answer(kind, await challenged(kind), codeOf(secret));
      expect([again.status, again.body.twoFactorSetup]).toEqual([200, false]);
      expect(told(await send('POST', `${path}/logout`, full))).toBe(200);
    },
  );

  it('then a small token can sign out', async () => {
    await send('PUT', settings, await signedIn('partner'), required);
    const { body } = await kinds.partner.login();
    expect(told(await send('POST', '/v1/partner/logout', body.accessToken))).toBe(200);
  });

  it('then a player never asks, and the other tenants and administrators are not held to it', async () => {
    const { token } = await enabled('partner');
    await send('PUT', settings, token, required);
    const { body } = await harness.call(identityRoutes.partnerLogin, {
      body: { partnerCode: '1000', loginUserId: 'taro', password, platform: { uuid: 'd', name: 'd' } },
    });
    expect(body.twoFactorSetup).toBe(false);
    expect(await outcome(twoFactorRoutes.getPartnerTwoFactor, await player())).toBe('E40301');
    expect((await kinds.admin.login()).body.twoFactorSetup).toBe(false);
  });

  it('of administrators, then of those of units too', async () => {
    const unit = await kinds.admin.login(password, 'unit@example.com');
    await send('PUT', platform, await signedIn('admin'), required);
    const own = await send('GET', '/v1/admin/two_factor', unit.body.accessToken);
    expect(own.body).toMatchObject({ enabled: false, required: true });
    expect(told(await send('GET', platform, unit.body.accessToken))).toBe('E40301');
    const { body } = await kinds.admin.login(password, 'unit@example.com');
    expect(body.twoFactorSetup).toBe(true);
    const secret = await begin('admin', body.accessToken ?? '');
    expect(told(await send('PUT', '/v1/admin/two_factor', body.accessToken, { code: codeOf(secret) }))).toBe(
      200,
    );
  });

  it('then what says so is a boolean, of those who may say it', async () => {
    const [admin, partner] = [await signedIn('admin'), await signedIn('partner')];
    for (const [at, token] of [
      [platform, admin],
      [settings, partner],
    ] as const) {
      expect(told(await send('PUT', at, token, {}))).toBe('E40003 two_factor_required');
      expect(told(await send('PUT', at, token, { two_factor_required: 'yes' }))).toBe(
        'E40002 two_factor_required',
      );
    }
    expect(told(await send('GET', '/v1/partner/partners/3/security_settings', partner))).toBe('E40402');
    const { body } = await harness.call(identityRoutes.partnerLogin, {
      body: { partnerCode: '1000', loginUserId: 'dev', password },
    });
    expect(told(await send('PUT', settings, body.accessToken, required))).toBe('E40301');
  });
});

describe('When somebody has lost their second factor', () => {
  const dev = async () => {
    const { body } = await harness.call(identityRoutes.partnerLogin, {
      body: { partnerCode: '1000', loginUserId: 'dev', password },
    });
    return body.accessToken;
  };
  const admins = '/v1/partner/partners/1/admins';
  const users = '/v1/partner/partners/1/users';

  it('then another company admin takes it away, their sessions end, and a mail tells who has an address', async () => {
    const token = await signedIn('partner');
    for (const at of [users, admins]) {
      const { token: theirs } = await enabled('partner', await dev());
      const before = (await mails()).length;
      expect(told(await send('DELETE', `${at}/13/two_factor`, token))).toBe(200);
      expect(await alive(theirs)).toBe('E40102');
      expect(await dev()).toEqual(expect.any(String));
      expect((await mails()).length).toBe(before);
      expect((await harness.events('two_factor.changed')).at(-1)).toMatchObject({
        partnerid: 1,
        data: { accountId: 13, enabled: false },
      });
    }
  });

  it('then an administrator does, of a company admin', async () => {
    const { token } = await enabled('partner');
    const before = (await mails()).length;
    const admin = await signedIn('admin');
    const at = '/v1/admin/partners/1/admins';
    expect(told(await send('DELETE', `${at}/12/two_factor`, admin))).toBe(200);
    expect(await alive(token)).toBe('E40102');
    expect((await mails()).slice(before)).toMatchObject([
      { template: 'twoFactorRemoved', to: 'partner@example.com', language: null },
    ]);
    expect(told(await send('DELETE', `${at}/12/two_factor`, admin))).toBe('E40034');
    expect(told(await send('DELETE', `${at}/31/two_factor`, admin))).toBe('E40401');
  });

  it('then not their own, of who has none, or of nobody', async () => {
    const { token } = await enabled('partner');
    expect(told(await send('DELETE', `${admins}/12/two_factor`, token))).toBe('E40301');
    expect(told(await send('DELETE', `${users}/12/two_factor`, token))).toBe('E40301');
    expect(told(await send('DELETE', `${users}/11/two_factor`, token))).toBe('E40034');
    expect(told(await send('DELETE', `${users}/99/two_factor`, token))).toBe('E40403');
    expect(told(await send('DELETE', `${admins}/99/two_factor`, token))).toBe('E40401');
    expect(told(await send('DELETE', `${users}/31/two_factor`, token))).toBe('E40403');
    expect(told(await send('DELETE', `${users}/12/two_factor`, await dev()))).toBe('E40301');
  });

  it('an administrator, then another with the right takes it away', async () => {
    const admin = await signedIn('admin');
    const unit = await kinds.admin.login(password, 'unit@example.com');
    const { token } = await enabled('admin', unit.body.accessToken);
    const [{ id } = { id: 0 }] = await harness.sql<{ id: number }>(
      `SELECT id FROM admins WHERE email = 'unit@example.com'`,
    );
    const at = (adminId: number) => `/v1/admin/admins/${adminId}/two_factor`;
    expect(told(await send('DELETE', at(id), token))).toBe('E40301');
    expect(told(await send('DELETE', at(1), admin))).toBe('E40301');
    expect(told(await send('DELETE', at(99), admin))).toBe('E40401');
    const before = (await mails()).length;
    expect(told(await send('DELETE', at(id), admin))).toBe(200);
    expect(await alive(token)).toBe('E40102');
    expect((await mails()).slice(before)).toMatchObject([
      { template: 'twoFactorRemoved', to: 'unit@example.com', language: 'en' },
    ]);
    expect(told(await send('DELETE', at(id), admin))).toBe('E40034');
    expect(told(await kinds.admin.login(password, 'unit@example.com'))).toBe(200);
  });
});

describe('When a session ends while two factors change in it', () => {
  it('then they do not', async () => {
    const [token, other] = [await signedIn('partner'), await signedIn('partner')];
    const secret = await begin('partner', token);
    const [on, ended] = await Promise.all([
      send('PUT', '/v1/partner/two_factor', token, { code: codeOf(secret) }),
      outcome(sessionRoutes.endOtherPartnerSessions, other),
    ]);
    // Whichever was first ended the other.
    expect([
      [200, 'E40102'],
      ['E40102', 200],
      [200, 200],
    ]).toContainEqual([told(on), ended]);
    const live = [await alive(token), await alive(other)];
    expect(live.filter((one) => one === 200).length).toBeLessThan(2);
  });
});
