import {
  type EventData,
  identityEvents,
  identityRoutes,
  mailEvents,
  type RouteContract,
  userEvents,
} from '@portal/contracts';
import type { MailContent } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { type ServiceHarness, startServiceHarness } from '@portal/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { identityService } from '../src/service.ts';
import { identitySeal } from '../src/use-cases/sign-up-social.ts';
import { bearer, signIns } from './calls.ts';
import { password, peers } from './peers.ts';

const chosen = 'Chosen-1234';
const hour = 3_600_000;
const log: string[] = [];
/** Passwords that the user service has been given, and what it answers instead. */
const given: [accountId: number, password: string][] = [];
/** Whose addresses the tenant service was told of as proved, and whether of admins whom a sign-up made. */
const confirmed: [partnerId: number, email: string, ofSignedUpAdmin: boolean][] = [];
let tenantOutage: AppError | undefined;
let outage: AppError | undefined;
let mailOutage: AppError | undefined;
let sendsMails = true;
/** Which password and role of everybody is in force. */
let generation = 0;
/** Which of them their password is. */
let passwordGeneration = 0;
let harness: ServiceHarness;
const { admin: signInAdmin, outcome, portal } = signIns(() => harness);

beforeAll(async () => {
  harness = await startServiceHarness(identityService, {
    env: { DEMO: '0', ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: password },
    peers: peers({
      generation: () => generation,
      passwordGeneration: () => passwordGeneration,
      sendsMails: () => {
        if (mailOutage) throw mailOutage;
        return sendsMails;
      },
      async onConfirmed(...proved) {
        if (tenantOutage) throw tenantOutage;
        confirmed.push(proved);
      },
      async onChanged(accountId, to) {
        if (outage) throw outage;
        given.push([accountId, to]);
      },
    }),
    log: { write: (line) => void log.push(line) },
  });
});
afterAll(() => harness?.stop());
beforeEach(async () => {
  given.length = 0;
  passwordGeneration = 0;
  confirmed.length = 0;
  tenantOutage = undefined;
  outage = undefined;
  mailOutage = undefined;
  sendsMails = true;
  await harness.sql('DELETE FROM reset_mails');
});

interface Mail {
  readonly partnerId: number | null;
  readonly content: Extract<MailContent, { token: string }>;
}

/** The mails with links that were asked for since the last look, opened. */
let seen = 0;
async function newMails(): Promise<Mail[]> {
  await harness.settled();
  const all = await harness.mails();
  const mails = all
    .slice(seen)
    .flatMap(({ content, partnerId }) => ('token' in content ? [{ partnerId, content }] : []));
  seen = all.length;
  return mails;
}

async function tokenOf(mailing: Promise<{ status: number }>): Promise<string> {
  expect((await mailing).status).toBe(200);
  const [mail, ...more] = await newMails();
  expect(more).toEqual([]);
  return mail?.content.token ?? '';
}

const askAdmin = (email: string, language = 'en') =>
  harness.call(identityRoutes.sendAdminResetMail, {
    body: { email },
    headers: { 'accept-language': language },
  });
const ask = (email: string, partnerCode = '1000', contract: typeof byPortal | typeof byUser = byPortal) =>
  harness.call(contract, { body: { email, partnerCode } });
const byPortal = identityRoutes.sendPartnerResetMail;
const byUser = identityRoutes.sendUserResetMail;
const isGood = async (resetToken: string) =>
  (await harness.call(identityRoutes.checkPasswordLink, { query: { resetToken } })).body.status;

type Reset =
  | typeof identityRoutes.resetAdminPassword
  | typeof identityRoutes.resetPartnerPassword
  | typeof identityRoutes.resetUserPassword
  | typeof identityRoutes.initUserPassword;
async function reset(contract: Reset, resetToken: string, to = chosen) {
  const { body, status } = await harness.refused(contract, { body: { resetToken, password: to } });
  return status === 200 ? status : { code: body.code, errors: body.errors.map(({ field }) => field) };
}
const over = { code: 'E40004', errors: [] };

describe('When an administrator has forgotten the password', () => {
  test('then the mail is in the language they asked in, and its link works once', async () => {
    const session = await signInAdmin();
    const before = await tokenOf(askAdmin('Admin@Example.com'));
    expect((await askAdmin('admin@example.com', 'ja')).status).toBe(200);
    const [mail] = await newMails();
    expect(mail).toEqual({
      partnerId: null,
      content: {
        to: 'admin@example.com',
        name: 'admin@example.com',
        language: 'ja',
        template: 'passwordReset',
        area: 'admin',
        token: expect.stringMatching(/^[\w-]{43}$/),
      },
    });
    const token = mail?.content.token ?? '';
    // The newest alone.
    expect([await isGood(before), await isGood(token)]).toEqual([false, true]);
    expect(await reset(identityRoutes.resetAdminPassword, before)).toEqual(over);

    expect(await reset(identityRoutes.resetAdminPassword, token, password)).toEqual({
      code: 'E40002',
      errors: ['password'],
    });
    expect(await reset(identityRoutes.resetAdminPassword, token, 'short')).toEqual({
      code: 'E40002',
      errors: ['password'],
    });
    // Nor does the link of an administrator open the account of a tenant.
    for (const contract of [identityRoutes.resetPartnerPassword, identityRoutes.initUserPassword] as const) {
      expect(await reset(contract, token)).toEqual(over);
    }
    expect(await isGood(token)).toBe(true);

    expect(await reset(identityRoutes.resetAdminPassword, token)).toBe(200);
    expect(await isGood(token)).toBe(false);
    expect(await reset(identityRoutes.resetAdminPassword, token, 'Another-1234')).toEqual(over);
    expect(await outcome(identityRoutes.validateToken, session)).toBe('E40102');
    await signInAdmin('admin@example.com', chosen);
    expect((await harness.events('password.changed')).at(-1)).toMatchObject({
      partnerid: null,
      data: { accountKind: 'admin' },
    });
    expect((await harness.events('operation.logged')).at(-2)?.data).toMatchObject({
      operation: 'resetAdminPassword',
      result: 'E40004',
      accountId: null,
    });
  });

  test('then a reset lifts the lock of wrong passwords', async () => {
    const body = { email: 'admin@example.com', password: 'Wr0ng-password' };
    for (let wrong = 0; wrong < 10; wrong += 1) await harness.call(identityRoutes.adminLogin, { body });
    const locked = await harness.refused(identityRoutes.adminLogin, { body: { ...body, password: chosen } });
    expect(locked.body.code).toBe('E40101');
    const token = await tokenOf(askAdmin('admin@example.com'));
    expect(await reset(identityRoutes.resetAdminPassword, token, 'Another-1234')).toBe(200);
    await signInAdmin('admin@example.com', 'Another-1234');
  });

  test.each([
    [
      'a company admin who is no user',
      'partner@example.com',
      { portal: true, player: false, partnerCode: '1000' },
    ],
    ['a user', 'hanako@example.com', { portal: false, player: true, partnerCode: '1000' }],
  ])('then %s is told where to sign in, and with what code', async (_, email, places) => {
    const resetToken = await tokenOf(ask(email));
    const checked = await harness.call(identityRoutes.checkPasswordLink, { query: { resetToken } });
    expect(checked.body).toEqual({ status: true, ...places });
  });

  test('then the calls that use a link answer nothing', async () => {
    for (const contract of [
      identityRoutes.resetPartnerPassword,
      identityRoutes.resetUserPassword,
      identityRoutes.initUserPassword,
    ] as const) {
      const body = { resetToken: await tokenOf(ask('hanako@example.com')), password: chosen };
      expect((await harness.call(contract, { body })).body).toEqual({});
    }
  });

  test('of several uses of one link at once, then one counts', async () => {
    const token = await tokenOf(askAdmin('admin@example.com'));
    const tries = ['First-12345', 'Second-12345', 'Third-12345'];
    const results = await Promise.all(
      tries.map(async (to) => reset(identityRoutes.resetAdminPassword, token, to)),
    );
    expect(results.filter((result) => result === 200)).toHaveLength(1);
    expect(results.filter((result) => result !== 200)).toEqual([over, over]);
    await signInAdmin('admin@example.com', tries[results.indexOf(200)]);
  });

  test('then a link is over after 24 hours', async () => {
    const token = await tokenOf(askAdmin('admin@example.com'));
    harness.clock.advance(24 * hour - 1);
    expect(await isGood(token)).toBe(true);
    harness.clock.advance(1);
    expect(await isGood(token)).toBe(false);
    expect(await reset(identityRoutes.resetAdminPassword, token)).toEqual(over);
  });
});

describe('When no mail can be sent', () => {
  const calls = () => [
    harness.refused(identityRoutes.sendAdminResetMail, { body: { email: 'admin@example.com' } }),
    harness.refused(byPortal, { body: { email: 'hanako@example.com', partnerCode: '1000' } }),
    harness.refused(byUser, { body: { email: 'nobody@example.com', partnerCode: '1000' } }),
  ];

  test('at all, then a request for a link is refused, for known and unknown addresses', async () => {
    sendsMails = false;
    for (const { body, status } of await Promise.all(calls())) {
      expect([status, body.code]).toEqual([400, 'E40036']);
    }
    expect(await newMails()).toEqual([]);
  });

  test('at this moment, then the mail waits', async () => {
    mailOutage = new AppError('E50301');
    for (const { status } of await Promise.all(calls())) expect(status).toBe(200);
    expect(await newMails()).toHaveLength(2);
  });
});

describe('When a person of a tenant has forgotten the password', () => {
  test.each([
    ['a company admin, to the portal', 'PARTNER@example.com', byPortal, 'partner', 12],
    [
      'a company admin who asks on the page for users, to the portal',
      'partner@example.com',
      byUser,
      'partner',
      12,
    ],
    ['a user, to the page for users', 'hanako@example.com', byPortal, 'user', 15],
  ] as const)('then the link leads %s', async (_, email, contract, area, accountId) => {
    expect((await ask(email, '1000', contract)).status).toBe(200);
    expect(await newMails()).toMatchObject([
      { partnerId: 1, content: { to: email.toLowerCase(), language: null, template: 'passwordReset', area } },
    ]);
    expect((await harness.events('password.reset_requested')).at(-1)).toMatchObject({
      subject: String(accountId),
      partnerid: 1,
    });
  });

  test('then every call of the tenant takes it, once, and the sessions end', async () => {
    const session = await portal();
    for (const contract of [
      identityRoutes.resetPartnerPassword,
      identityRoutes.resetUserPassword,
      identityRoutes.initUserPassword,
    ] as const) {
      const token = await tokenOf(ask('partner@example.com'));
      expect(await reset(identityRoutes.resetAdminPassword, token)).toEqual(over);
      expect(await reset(contract, token, password)).toEqual({ code: 'E40002', errors: ['password'] });
      expect(await isGood(token)).toBe(true);
      expect(await reset(contract, token)).toBe(200);
      expect(await reset(contract, token)).toEqual(over);
    }
    expect(given).toEqual([12, 12, 12].map((id) => [id, chosen]));
    expect(await outcome(identityRoutes.validateToken, session)).toBe('E40102');
    expect(
      (await harness.events('operation.logged')).findLast(({ data }) => Object(data).result === '200')?.data,
    ).toMatchObject({ accountKind: 'account', accountId: 12 });
  });

  test('of several uses of one link at once, then one counts', async () => {
    const token = await tokenOf(ask('hanako@example.com'));
    const results = await Promise.all(
      [1, 2, 3].map(async (n) => reset(identityRoutes.resetUserPassword, token, `Chosen-${n}234`)),
    );
    expect(results.filter((result) => result === 200)).toHaveLength(1);
    expect(given).toHaveLength(1);
  });

  test('then a link outlives a user service that is away', async () => {
    const token = await tokenOf(ask('hanako@example.com'));
    outage = new AppError('E50301');
    expect(await reset(identityRoutes.resetUserPassword, token)).toMatchObject({ code: 'E50301' });
    outage = undefined;
    expect(await reset(identityRoutes.resetUserPassword, token)).toBe(200);
  });

  test('then one of an account that is gone is over', async () => {
    const token = await tokenOf(ask('hanako@example.com'));
    outage = new AppError('E40403');
    expect(await reset(identityRoutes.resetUserPassword, token)).toEqual(over);
    expect(await isGood(token)).toBe(false);
  });

  test('then one of somebody who gets another password meanwhile is over', async () => {
    const token = await tokenOf(ask('hanako@example.com'));
    outage = new AppError('E40004');
    expect(await reset(identityRoutes.resetUserPassword, token)).toEqual(over);
    expect(await isGood(token)).toBe(false);
  });
});

describe('When a password has changed otherwise', () => {
  beforeEach(() => {
    generation = 4;
  });
  const changes = { currentPassword: password, password: chosen };

  test('in a session of the administrator, then the link that they were mailed is over', async () => {
    const known = await tokenOf(askAdmin('admin@example.com'));
    expect(await reset(identityRoutes.resetAdminPassword, known, 'Before-1234')).toBe(200);
    const session = await signInAdmin('admin@example.com', 'Before-1234');
    const token = await tokenOf(askAdmin('admin@example.com'));
    const { status } = await harness.call(identityRoutes.changeAdminPassword, {
      body: { currentPassword: 'Before-1234', password: 'After-1234' },
      headers: bearer(session),
    });
    expect(status).toBe(200);
    expect(await isGood(token)).toBe(false);
    expect(await reset(identityRoutes.resetAdminPassword, token)).toEqual(over);
  });

  test('of an administrator before the mail with a link that was asked for earlier was made, then none is sent', async () => {
    const known = await tokenOf(askAdmin('admin@example.com'));
    expect(await reset(identityRoutes.resetAdminPassword, known, 'Earlier-1234')).toBe(200);
    const session = await signInAdmin('admin@example.com', 'Earlier-1234');
    await tokenOf(askAdmin('admin@example.com'));
    const asked = (await harness.events(identityEvents.passwordResetAsked.type)).at(-1);
    const data = identityEvents.passwordResetAsked.data.parse(asked?.data);
    const heardOf = async () => {
      await harness.sql('DELETE FROM reset_mails');
      await harness.deliver(identityEvents.passwordResetAsked, {
        subject: data.askId,
        partnerId: null,
        data,
      });
      return newMails();
    };
    expect(await heardOf()).toHaveLength(1);
    const { status } = await harness.call(identityRoutes.changeAdminPassword, {
      body: { currentPassword: 'Earlier-1234', password: 'Later-1234' },
      headers: bearer(session),
    });
    expect(status).toBe(200);
    expect(await heardOf()).toEqual([]);
  });

  test('in a session of a company admin, then the link that they were mailed is over', async () => {
    const session = await portal();
    const token = await tokenOf(ask('partner@example.com'));
    const other = await tokenOf(ask('hanako@example.com'));
    const { status } = await harness.call(identityRoutes.changePartnerPassword, {
      body: changes,
      headers: bearer(session),
    });
    expect(status).toBe(200);
    expect(await isGood(token)).toBe(false);
    expect(await reset(identityRoutes.resetPartnerPassword, token)).toEqual(over);
    expect(await isGood(other)).toBe(true);
  });

  const signedOut = async (data: Partial<EventData<typeof userEvents.userSignedOut>>) =>
    harness.deliver(userEvents.userSignedOut, { subject: 15, partnerId: 1, data: { userId: 15, ...data } });

  test('by somebody else, then the links from before it are over, and no later one', async () => {
    const token = await tokenOf(ask('hanako@example.com'));
    // Another role is no other password.
    const before = (await harness.events('password.changed')).length;
    await signedOut({ generation: 5 });
    expect(await isGood(token)).toBe(true);
    expect(await harness.events('password.changed')).toHaveLength(before);
    await signedOut({ generation: 5, passwordChanged: true });
    expect((await harness.events('password.changed')).slice(before)).toMatchObject([
      { subject: '15', partnerid: 1, data: { accountKind: 'account', accountId: 15 } },
    ]);
    expect(await reset(identityRoutes.resetUserPassword, token)).toEqual(over);

    generation = 5;
    const later = await tokenOf(ask('hanako@example.com'));
    await signedOut({ generation: 5, passwordChanged: true });
    expect(await isGood(later)).toBe(true);
  });

  test('before the mail with a link that was asked for earlier was made, then the link is over', async () => {
    const token = await tokenOf(ask('hanako@example.com'));
    // What tells of the other password has come already, and found no link.
    passwordGeneration = 5;
    expect(await isGood(token)).toBe(true);
    expect(await reset(identityRoutes.resetUserPassword, token)).toEqual(over);
    expect(await isGood(token)).toBe(false);
    passwordGeneration = 4;
    expect(await reset(identityRoutes.resetUserPassword, await tokenOf(ask('hanako@example.com')))).toBe(200);
  });

  test('by an import, then the links of its people are over', async () => {
    const tokens = [
      await tokenOf(ask('hanako@example.com')),
      await tokenOf(ask('new@example.com')),
      await tokenOf(ask('partner@example.com')),
    ];
    const people = [{ userId: 15, generation: 5, passwordChanged: true }, { userId: 16 }];
    await harness.deliver(userEvents.usersSignedOut, {
      subject: 1,
      partnerId: 1,
      data: { importId: 1, people },
    });
    expect(await Promise.all(tokens.map(isGood))).toEqual([false, true, true]);
    expect((await harness.events('password.changed')).at(-1)).toMatchObject({ subject: '15', partnerid: 1 });
  });
});

describe('When very many mails are asked for', () => {
  const token = (mail: Mail | undefined) => mail?.content.token ?? '';

  test('at once and by every call, then a person gets three in an hour, and the last link stays good', async () => {
    const session = await portal();
    const button = {
      params: { pid: 1, id: 15 },
      headers: bearer(session),
    };
    const asking = Array.from({ length: 20 }, async (_, i) =>
      i % 4 === 0
        ? harness.call(identityRoutes.sendResetMailTo, button)
        : ask('hanako@example.com', '1000', i % 2 === 0 ? byPortal : byUser),
    );
    const answers = await Promise.all(asking);
    expect(new Set(answers.map(({ body, status }) => JSON.stringify([status, body])))).toEqual(
      new Set(['[200,{}]']),
    );
    const mails = await newMails();
    expect(mails).toHaveLength(3);
    expect(await Promise.all(mails.map(async (mail) => isGood(token(mail))))).toEqual([false, false, true]);

    // Others have theirs.
    await tokenOf(ask('partner@example.com'));
    harness.clock.advance(hour - 1);
    await ask('hanako@example.com');
    expect(await newMails()).toEqual([]);
    // Nor does a used link make room.
    expect(await reset(identityRoutes.resetUserPassword, token(mails[2]))).toBe(200);
    await ask('hanako@example.com');
    expect(await newMails()).toEqual([]);
    harness.clock.advance(1);
    expect(await isGood(await tokenOf(ask('hanako@example.com')))).toBe(true);
  });

  test('over hours, then each hour before has three at most', async () => {
    const sent: number[] = [];
    for (let minute = 0; minute < 150; minute += 10) {
      await askAdmin('admin@example.com');
      if ((await newMails()).length > 0) sent.push(minute);
      harness.clock.advance(hour / 6);
    }
    expect(sent).toEqual([0, 10, 20, 60, 70, 80, 120, 130, 140]);
  });
});

describe('When nobody has the address', () => {
  test.each([
    ['an administrator', () => askAdmin('nobody@example.com')],
    ['a person of a tenant', () => ask('nobody@example.com')],
    ['a person of another tenant', () => ask('partner@example.com', '3000')],
    ['a person of no tenant', () => ask('partner@example.com', 'none', byUser)],
  ])('of %s, then the answer is the same, and there is no mail', async (_, asking) => {
    const known = await ask('partner@example.com');
    await newMails();
    const { body, status } = await asking();
    expect({ body, status }).toEqual({ body: known.body, status: known.status });
    expect(await newMails()).toEqual([]);
  });
});

describe('When a mail is asked for or a link is used, then the operation log tells', () => {
  const logged = async () => {
    const { data, partnerid } = (await harness.events('operation.logged')).at(-1) ?? {};
    const { accountId, operation, result, role } = Object(data);
    return [operation, result, partnerid, accountId, role];
  };

  test.each([
    ['whose account it is', 'hanako@example.com', '1000', 1, 15, 0],
    ['the tenant, where nobody has the address', 'nobody@example.com', '1000', 1, null, null],
    ['nobody, where no tenant has the code', 'hanako@example.com', 'none', null, null, null],
  ])('%s', async (_, email, partnerCode, ...who) => {
    for (const contract of [byPortal, byUser] as const) {
      await ask(email, partnerCode, contract);
      expect(await logged()).toEqual([contract.id, '200', ...who]);
    }
    await newMails();
  });

  test('which administrator it is, and of whose account a link was used in vain', async () => {
    await askAdmin('nobody@example.com');
    expect(await logged()).toEqual(['sendAdminResetMail', '200', null, null, null]);
    const ofAdmin = await tokenOf(askAdmin('admin@example.com'));
    expect(await logged()).toEqual(['sendAdminResetMail', '200', null, 1, 127]);
    await harness.sql('DELETE FROM password_links WHERE account_kind = $1', 'admin');
    expect(await reset(identityRoutes.resetAdminPassword, ofAdmin)).toEqual(over);
    expect(await logged()).toEqual(['resetAdminPassword', 'E40004', null, null, null]);

    const token = await tokenOf(ask('partner@example.com'));
    await reset(identityRoutes.resetPartnerPassword, token, password);
    expect(await logged()).toEqual(['resetPartnerPassword', 'E40002', 1, 12, null]);
    expect(await reset(identityRoutes.resetPartnerPassword, token)).toBe(200);
    expect(await logged()).toEqual(['resetPartnerPassword', '200', 1, 12, 268_435_456]);
  });
});

describe('When a company admin sends the mail to a user', () => {
  let token: string;
  beforeAll(async () => {
    token = await portal();
  });
  const send = (id: number, { pid = 1, by = token } = {}) =>
    harness.refused(identityRoutes.sendResetMailTo, { params: { pid, id }, headers: bearer(by) });

  test('then the user gets a link, the first one to choose a password where they have none', async () => {
    expect((await send(15)).status).toBe(200);
    expect((await send(16)).status).toBe(200);
    expect(await newMails()).toMatchObject([
      { content: { to: 'hanako@example.com', template: 'passwordReset', area: 'user' } },
      { content: { to: 'new@example.com', template: 'passwordInit' } },
    ]);
    expect((await harness.events('setup_mails.sent')).at(-1)).toMatchObject({
      data: { partnerId: 1, userIds: [16], asked: true },
    });
  });

  test.each([
    [11, 'E40035', 'has no address'],
    [31, 'E40403', 'is of another tenant'],
    [99, 'E40403', 'does not exist'],
  ])('then user %i is refused with %s who %s', async (id, code) => {
    expect((await send(id)).body.code).toBe(code);
    expect(await newMails()).toEqual([]);
  });

  test('then nobody but a company admin may', async () => {
    const developer = await harness.call(identityRoutes.partnerLogin, {
      body: { partnerCode: '1000', loginUserId: 'dev', password },
    });
    expect((await send(15, { by: developer.body.accessToken })).body.code).toBe('E40301');
    expect((await send(31, { pid: 3 })).status).toBe(404);
    expect(await newMails()).toEqual([]);
  });
});

describe('When a user was made', () => {
  type Person = EventData<typeof userEvents.userCreated>;
  let userId = 70;
  // A person is new once.
  beforeEach(() => {
    userId += 1;
  });
  const person: Omit<Person, 'userId'> = {
    name: 'New',
    email: 'first@example.com',
    loginUserId: null,
    role: 0,
    isUser: true,
    groupIds: [],
    hasPassword: false,
  };
  const about = <T extends Partial<Person>>(changes: T) => ({
    subject: userId,
    partnerId: 1,
    data: { ...person, userId, ...changes },
  });
  const created = async (changes: Partial<Person> = {}) =>
    harness.deliver(userEvents.userCreated, about(changes));
  const updated = async (changes: Partial<Person> = {}) =>
    harness.deliver(userEvents.userUpdated, about({ ...changes, endsSessions: false }));

  test('with an e-mail, then they get the link to choose a password', async () => {
    await created();
    const [mail, ...more] = await newMails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      partnerId: 1,
      content: { to: 'first@example.com', name: 'New', template: 'passwordInit', language: null },
    });
    expect(await isGood(mail?.content.token ?? '')).toBe(true);
    expect(await reset(identityRoutes.initUserPassword, mail?.content.token ?? '')).toBe(200);
    expect(given).toEqual([[userId, chosen]]);
  });

  test('with an e-mail, then the user service is told of a mail to another address, not of the first', async () => {
    const told = async () => (await harness.events('setup_mails.sent')).slice(before);
    const before = (await harness.events('setup_mails.sent')).length;
    await created();
    await newMails();
    expect(await told()).toEqual([]);
    await updated({ email: 'another@example.com' });
    await newMails();
    expect(await told()).toMatchObject([
      { partnerid: 1, data: { partnerId: 1, userIds: [userId], asked: false } },
    ]);
  });

  test('and the user service wants the mail again, then each gets a new link, and the one before is over', async () => {
    await created();
    const [first] = await newMails();
    const before = (await harness.events('setup_mails.sent')).length;
    const people = [
      { userId, name: 'New', email: 'first@example.com', generation },
      { userId: userId + 1_000, name: 'Second', email: 'second@example.com', generation },
    ];
    // As often as it wants: it has counted them.
    for (let i = 0; i < 4; i++) {
      await harness.deliver(userEvents.setupMailsRequested, {
        subject: 1,
        partnerId: 1,
        data: { partnerId: 1, people },
      });
    }
    const mails = await newMails();
    expect(mails).toHaveLength(8);
    expect(mails.slice(-2)).toMatchObject([
      { partnerId: 1, content: { to: 'first@example.com', name: 'New', template: 'passwordInit' } },
      { partnerId: 1, content: { to: 'second@example.com', name: 'Second', template: 'passwordInit' } },
    ]);
    const own = [first, ...mails.filter(({ content }) => content.name === 'New')];
    const good = await Promise.all(own.map(async (mail) => isGood(mail?.content.token ?? '')));
    expect(good).toEqual([false, false, false, false, true]);
    expect(await harness.events('setup_mails.sent')).toHaveLength(before);
  });

  test('and the user service has had the mails of an hour sent, then asking for more sends none, and the last link stays', async () => {
    const data = {
      partnerId: 1,
      people: [{ userId: 15, name: 'Taro', email: 'hanako@example.com', generation }],
    };
    for (let i = 0; i < 3; i++) {
      await harness.deliver(userEvents.setupMailsRequested, { subject: 1, partnerId: 1, data });
    }
    const last = (await newMails()).at(-1)?.content.token ?? '';
    expect((await ask('hanako@example.com')).status).toBe(200);
    expect(await newMails()).toEqual([]);
    expect(await isGood(last)).toBe(true);
  });

  test('with a password, then they get none', async () => {
    await created({ hasPassword: true });
    userId += 1;
    await created({ email: null, loginUserId: 'new' });
    expect(await newMails()).toEqual([]);
  });

  test('and their address corrected, then the first link is over and the right one gets another', async () => {
    await created();
    const [first] = await newMails();
    await updated({ name: 'Renamed' });
    expect(await newMails()).toEqual([]);
    expect(await isGood(first?.content.token ?? '')).toBe(true);
    await updated({ email: 'right@example.com' });
    expect(await isGood(first?.content.token ?? '')).toBe(false);
    const [second] = await newMails();
    expect(second?.content).toMatchObject({ to: 'right@example.com', template: 'passwordInit' });

    await updated({ email: 'other@example.com', hasPassword: true });
    expect(await isGood(second?.content.token ?? '')).toBe(false);
    expect(await newMails()).toEqual([]);
  });

  test('and their address corrected several times at once, then the last one gets a link', async () => {
    await created();
    const [first] = await newMails();
    await Promise.all(['typo@example.com', 'last@example.com'].map(async (email) => updated({ email })));
    expect(await isGood(first?.content.token ?? '')).toBe(false);
    const last = (await newMails()).at(-1);
    expect(last?.content.to).toBe('last@example.com');
    expect(await isGood(last?.content.token ?? '')).toBe(true);
  });

  test('and their address changed again and again, then three of the addresses get a link in an hour', async () => {
    await created();
    await newMails();
    for (let i = 0; i < 6; i++) await updated({ email: `victim-${i}@example.com` });
    expect((await newMails()).map(({ content }) => content.to)).toEqual(
      [0, 1, 2].map((i) => `victim-${i}@example.com`),
    );
  });

  test('with many others, then each gets a link, and a late event of their beginning changes nothing', async () => {
    const together = [1, 2, 3].map((n) => ({
      ...person,
      userId: userId * 10 + n,
      email: `new-${n}@example.com`,
      revision: 1,
    }));
    const [, second] = together;
    if (!second) throw new Error('There are three');
    const overtaking = { ...second, revision: 2, email: 'corrected@example.com', endsSessions: false };
    await harness.deliver(userEvents.userUpdated, { subject: second.userId, partnerId: 1, data: overtaking });
    const all = { subject: 1, partnerId: 1, data: { partnerId: 1, people: together } };
    await harness.deliver(userEvents.usersCreated, all);
    await harness.deliver(userEvents.usersCreated, all);
    expect((await newMails()).map(({ content }) => content.to)).toEqual([
      'corrected@example.com',
      'new-1@example.com',
      'new-3@example.com',
    ]);
    expect((await harness.events('passwords.reset_requested')).at(-1)).toMatchObject({
      partnerid: 1,
      data: { partnerId: 1, userIds: [together[0]?.userId, together[2]?.userId] },
    });
  });

  test('then the mail lets those pass that somebody asks for and waits for', async () => {
    await created();
    expect((await harness.mails()).at(-1)).toMatchObject({ inBulk: true });
    await askAdmin('admin@example.com');
    await harness.settled();
    expect((await harness.mails()).at(-1)).toMatchObject({ inBulk: false });
    await newMails();
    expect([mailEvents.mailsRequested.late, identityEvents.passwordsResetRequested.late]).toEqual([
      true,
      true,
    ]);
  });

  test('by an import that left the mails out, then they get none, not even if a later change is heard first', async () => {
    await updated({ setupMail: false, revision: 2, email: 'corrected@example.com' });
    await created({ setupMail: false, revision: 1 });
    expect(await newMails()).toEqual([]);
    // It can be sent later.
    const people = [{ userId, name: 'New', email: 'corrected@example.com', generation }];
    const data = { partnerId: 1, people };
    await harness.deliver(userEvents.setupMailsRequested, { subject: 1, partnerId: 1, data });
    expect((await newMails()).map(({ content }) => content.to)).toEqual(['corrected@example.com']);
  });

  test('and their address written with capitals, then the link stays and no other is sent', async () => {
    await created();
    const [mail] = await newMails();
    await updated({ email: 'First@Example.com' });
    expect(await newMails()).toEqual([]);
    expect(await isGood(mail?.content.token ?? '')).toBe(true);
  });

  test('and deleted, then the link is over', async () => {
    await created();
    const [mail] = await newMails();
    await harness.deliver(userEvents.userDeleted, { subject: userId, partnerId: 1, data: { userId } });
    expect(await isGood(mail?.content.token ?? '')).toBe(false);
  });
});

describe('What is refused', () => {
  const bodyOf = (contract: RouteContract, payload: object) =>
    harness.raw({
      method: contract.method === 'PUT' ? 'PUT' : 'POST',
      url: contract.path,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(payload),
    });

  test.each([
    [identityRoutes.sendAdminResetMail, {}, 'E40003', ['email']],
    [identityRoutes.sendAdminResetMail, { email: 'nobody' }, 'E40002', ['email']],
    [identityRoutes.sendPartnerResetMail, { email: 'a@example.com' }, 'E40003', ['partner_code']],
    [identityRoutes.sendUserResetMail, {}, 'E40003', ['email', 'partner_code']],
    [identityRoutes.resetAdminPassword, {}, 'E40003', ['reset_token', 'password']],
    [identityRoutes.initUserPassword, { reset_token: 'x', password: 'onlyletters' }, 'E40002', ['password']],
    [
      identityRoutes.resetUserPassword,
      { reset_token: 'x', password: 'with space 1' },
      'E40002',
      ['password'],
    ],
    [identityRoutes.resetPartnerPassword, { reset_token: 'x', password: 'Passw0rd-1' }, 'E40004', []],
  ] as const)('$0.id of %j is %s', async (contract, payload, code, fields) => {
    const { body } = await bodyOf(contract, payload);
    expect([body.code, body.errors.map(({ field }) => field)]).toEqual([code, fields]);
  });

  test('a check without a link', async () => {
    const { body } = await harness.raw({ method: 'GET', url: identityRoutes.checkPasswordLink.path });
    expect(body).toMatchObject({ code: 'E40003', errors: [{ field: 'reset_token' }] });
  });
});

test('Neither the database, the log nor an event holds a token; log and events hold no address', async () => {
  const token = await tokenOf(ask('hanako@example.com'));
  expect(await reset(identityRoutes.resetUserPassword, token)).toBe(200);
  const again = await tokenOf(ask('hanako@example.com'));
  const stored = JSON.stringify(await harness.sql('SELECT *, token_hash::text FROM password_links'));
  const told = log.join('') + JSON.stringify(await harness.events());
  for (const secret of [token, again, chosen]) {
    expect(stored).not.toContain(secret);
    expect(told).not.toContain(secret);
  }
  expect(told).not.toContain('hanako@');
});

describe('When somebody has signed a company up', () => {
  const admin = (userId: number) => ({
    userId,
    revision: 1,
    name: 'Yamada Hanako',
    email: 'visitor@example.com',
    loginUserId: null,
    role: 268_435_456,
    isUser: false,
    groupIds: [],
    hasPassword: false,
  });
  const signedUp = async (userId: number, identity: string | null, hasPassword = false) =>
    harness.deliver(userEvents.userCreated, {
      subject: userId,
      partnerId: 6,
      data: { ...admin(userId), hasPassword, signUp: { identity } },
    });
  const corrected = async (userId: number, revision: number, email: string) =>
    harness.deliver(userEvents.userUpdated, {
      subject: userId,
      partnerId: 6,
      data: { ...admin(userId), revision, email, endsSessions: false },
    });

  test('then the mail leads to the page of the portal, and the chosen password activates the company first', async () => {
    await newMails();
    await signedUp(61, null);
    const [mail, ...more] = await newMails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      partnerId: 6,
      content: { template: 'signUpPassword', to: 'visitor@example.com', name: 'Yamada Hanako' },
    });
    const token = mail?.content.token ?? '';
    tenantOutage = new AppError('E50301');
    expect(await reset(identityRoutes.initUserPassword, token)).toMatchObject({ code: 'E50301' });
    expect([given, await isGood(token)]).toEqual([[], true]);
    tenantOutage = undefined;
    expect(await reset(identityRoutes.initUserPassword, token)).toBe(200);
    expect(confirmed).toEqual([[6, 'visitor@example.com', true]]);
    expect(given).toEqual([[61, chosen]]);
    expect(await reset(identityRoutes.initUserPassword, token)).toEqual(over);
    expect(confirmed).toHaveLength(1);
  });

  test('and chooses a password that is easy to guess, then it is refused, and the company is not activated', async () => {
    await newMails();
    await signedUp(68, null);
    const [mail] = await newMails();
    const token = mail?.content.token ?? '';
    for (const guessable of ['P@ssw0rd', 'Hanako-1234']) {
      expect(await reset(identityRoutes.initUserPassword, token, guessable)).toEqual({
        code: 'E40002',
        errors: ['password'],
      });
      expect((await harness.events('operation.logged')).at(-1)?.data).toMatchObject({
        operation: 'initUserPassword',
        result: 'E40002',
        accountId: 68,
      });
    }
    expect([confirmed, given, await isGood(token)]).toEqual([[], [], true]);
    expect(await reset(identityRoutes.initUserPassword, token)).toBe(200);
    expect(confirmed).toEqual([[6, 'visitor@example.com', true]]);
    expect(given).toEqual([[68, chosen]]);
  });

  test('and their address is corrected, then the same mail goes there, and its link activates the company', async () => {
    await newMails();
    await signedUp(65, null);
    const [first] = await newMails();
    await corrected(65, 2, 'typo@example.com');
    await corrected(65, 3, 'right@example.com');
    const mails = await newMails();
    expect(mails).toMatchObject([
      { content: { template: 'signUpPassword', to: 'typo@example.com' } },
      { content: { template: 'signUpPassword', to: 'right@example.com', name: 'Yamada Hanako' } },
    ]);
    const [typo, right] = mails.map(({ content }) => content.token);
    expect(await reset(identityRoutes.initUserPassword, first?.content.token ?? '')).toEqual(over);
    expect(await reset(identityRoutes.initUserPassword, typo ?? '')).toEqual(over);
    expect(confirmed).toEqual([]);
    expect(await reset(identityRoutes.initUserPassword, right ?? '')).toBe(200);
    expect(confirmed).toEqual([[6, 'right@example.com', true]]);
    expect(given).toEqual([[65, chosen]]);
  });

  test('then the link of another admin of theirs, or of one whose address is corrected, is no sign-up', async () => {
    await newMails();
    await signedUp(66, null);
    const other = { ...admin(67), email: 'other@example.com' };
    await harness.deliver(userEvents.userCreated, { subject: 67, partnerId: 6, data: other });
    await newMails();
    await corrected(67, 2, 'another@example.com');
    const [mail] = await newMails();
    expect(mail?.content).toMatchObject({ template: 'passwordInit', to: 'another@example.com' });
    expect(await reset(identityRoutes.initUserPassword, mail?.content.token ?? '')).toBe(200);
    expect(confirmed).toEqual([[6, 'another@example.com', false]]);
  });

  test('then who has a password, or an account elsewhere, gets no link', async () => {
    await newMails();
    await signedUp(63, null, true);
    const elsewhere = JSON.stringify({ issuer: 'https://issuer.example', subject: '64' });
    await signedUp(64, harness.sealsOf('identity').seal(elsewhere, identitySeal, 'identity'));
    expect(await newMails()).toEqual([]);
  });

  test('then nobody gets a link for a forgotten password before it is activated, with the same answer', async () => {
    await newMails();
    expect((await ask('visitor@example.com', '6000')).status).toBe(200);
    expect(await newMails()).toEqual([]);
  });
});
