import { mailRoutes, tenantEvents } from '@portal/contracts';
import { findMailSending } from '@portal/contracts/internal';
import { assertNoDrift } from '@portal/database';
import { defineService, type ServiceContext, systemScope } from '@portal/service-kit';
import { type ServiceHarness, startServiceHarness } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Config, config } from '../src/config.ts';
import type { MailDb } from '../src/data/db.ts';
import { PrismaClient } from '../src/data/generated/client.ts';
import { forgetMails } from '../src/data/mail-repository.ts';
import { subscriptions } from '../src/events/subscriptions.ts';
import { mailService } from '../src/service.ts';
import { partner, request, reset, stateOf, token } from './support.ts';

const patience = { timeout: 10_000, interval: 20 };
let harness: ServiceHarness;

beforeAll(async () => {
  harness = await startServiceHarness(mailService, {
    env: { DEMO: '1', PUBLIC_URL: 'http://localhost:8080' },
  });
  await harness.deliver(tenantEvents.partnerCreated, { subject: 1, partnerId: 1, data: partner });
});
afterAll(() => harness?.stop());

const sent = async (id: string) =>
  vi.waitFor(
    harness.afterJobs(async () => expect((await stateOf(harness, id)).status).toBe('sent')),
    patience,
  );
const mailbox = async (to?: string) =>
  (await harness.call(mailRoutes.devMailbox, { query: to === undefined ? {} : { to } })).body.mails;

describe('When a demo has no mail server', () => {
  test('then the mailbox has its mails, newest first, to an address in any case', async () => {
    const first = await request(harness, reset);
    await sent(first);
    harness.clock.advance(1_000);
    const second = await request(harness, { ...reset, template: 'passwordInit', token: 'second' });
    await sent(second);
    await sent(await request(harness, { ...reset, to: 'hanako@example.com' }));

    const mails = await mailbox('taro@EXAMPLE.com');
    expect(mails[0]?.text).toContain('\n-- \nDemo <Corporation> (配信ポータル)\n');
    expect(mails).toEqual([
      {
        to: 'Taro@example.com',
        from: 'Haishin Portal <no-reply@localhost>',
        subject: '[Demo <Corporation>] アカウント登録のお知らせとパスワードの設定',
        text: expect.stringContaining('http://localhost:8080/user/password/init?reset_token=second\n'),
        html: expect.stringContaining('href="http://localhost:8080/user/password/init?reset_token=second"'),
        sentAt: '2026-11-21T09:00:01Z',
      },
      expect.objectContaining({ text: expect.stringContaining(`reset_token=${token}\n`) }),
    ]);
    expect(await mailbox()).toHaveLength(3);
    expect(await mailbox('nobody@example.com')).toEqual([]);
  });

  test('then one tells that a contract ends, in the language and the zone of the company', async () => {
    const ending = {
      template: 'licenceEnding',
      to: 'contact@example.com',
      name: '',
      language: null,
      company: 'Demo https://evil.example',
      licenseExpiredOn: '2026-12-31T15:00:00Z',
      days: 30,
      timeZone: 'Asia/Tokyo',
    } as const;
    await sent(await request(harness, ending));
    const english = { ...ending, to: 'manager@example.com', name: 'Demo', language: 'en', days: 1 } as const;
    await sent(await request(harness, { ...english, timeZone: 'America/New_York' }));
    const [inJapanese] = await mailbox('contact@example.com');
    expect(inJapanese?.subject).toBe('[Demo <Corporation>] まもなく契約が終了します');
    expect(inJapanese?.text).toContain('ご担当者様');
    expect(inJapanese?.text).toContain('企業: Demo https: / / evil. example\n終了日時: 2027年1月1日 0:00');
    expect(inJapanese?.text).toContain('（Asia/Tokyo）\n残り: 30日');
    const [inEnglish] = await mailbox('manager@example.com');
    expect(inEnglish?.subject).toBe('[Demo <Corporation>] The contract ends soon');
    expect(inEnglish?.text).toContain('Dear Demo,');
    expect(inEnglish?.text).toMatch(
      /End: December 31, 2026 at 10:00\sAM \(America\/New_York\)\nLeft: 1 day\n/,
    );
  });

  test('then who signs up gets the link in their language, and nothing that they have typed becomes a part of the mail', async () => {
    const activation = {
      template: 'signUpActivation',
      to: 'visitor@example.com',
      name: '<b>Win</b>\r\nBcc: x@example.com https://evil.example',
      language: 'en',
      token: 'an-activation',
      partnerCode: '12345678',
    } as const;
    await sent(await request(harness, activation));
    const [mail] = await mailbox('visitor@example.com');
    // The name of the company is the visitor's choice as well.
    expect(mail?.subject).toBe('[Haishin Portal] Confirm your sign-up for a trial');
    expect(mail?.text).toContain('http://localhost:8080/signup/activate?token=an-activation\n');
    expect(mail?.text).toContain('Company ID: 12345678');
    expect(mail?.text).toContain('Dear <b>Win</ b> Bcc: x@ example. com https: / / evil. example,');
    expect(mail?.html).not.toContain('<b>');
    expect(mail?.html).not.toContain('Corporation');

    const free = { template: 'signUpPassword', name: '山田', language: 'ja', token: 'a-password' } as const;
    await sent(await request(harness, { ...free, to: 'free@example.com' }));
    const [other] = await mailbox('free@example.com');
    expect(other?.subject).toBe('[配信ポータル] お申し込みの確認とパスワードの設定');
    expect(other?.text).toContain('http://localhost:8080/partner/password/init?reset_token=a-password\n');
  });

  test('then a browser gets a page in which nothing of a mail runs', async () => {
    await sent(await request(harness, { ...reset, name: '<script>alert(1)</script>' }));
    const { body, headers, status } = await harness.raw({
      method: 'GET',
      url: '/dev/mailbox',
      headers: { accept: 'text/html,application/xhtml+xml' },
    });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'unsafe-inline'/);
    expect(String(body)).toContain('Taro@example.com');
    expect(String(body)).not.toContain('<script>');
    // Escaped in the mail, and the mail in the page.
    expect(String(body)).toContain('&amp;lt;script&amp;gt;');
  });
});

describe('When another service asks whether mails are sent', () => {
  const sends = async (asked: ServiceHarness) =>
    (await asked.callAs('identity', findMailSending, {})).body.sends;

  test('then a demo says so, and an installation without a mail server does not', async () => {
    const without = await startServiceHarness(mailService, {
      env: { DEMO: '0', PUBLIC_URL: 'https://portal.test' },
    });
    expect([await sends(harness), await sends(without)]).toEqual([true, false]);
    await without.stop();
  });
});

describe('When a week is over', () => {
  test('then mails are forgotten, and bounces stay', async () => {
    let context: ServiceContext<MailDb, Config> | undefined;
    const other = await startServiceHarness(
      defineService<MailDb, Config>({
        name: 'mail',
        config,
        directory: new URL('../', import.meta.url),
        prismaClient: PrismaClient,
        create(given) {
          context = given;
          return { routes: [], subscriptions: subscriptions(given) };
        },
      }),
    );
    try {
      const id = await request(other, reset, { partnerId: null });
      const now = other.clock.now();
      await other.sql(
        `INSERT INTO bounces (mail_id, email, kind, reason, occurred_at) VALUES ($1, 'a@b.c', 'permanent', '', $2)`,
        id,
        now,
      );
      const counts = async () =>
        (
          await other.sql(
            `SELECT (SELECT count(*) FROM mails)::int AS mails, (SELECT count(*) FROM bounces)::int AS bounces,
               (SELECT count(*) FROM messaging.task)::int AS waiting`,
          )
        )[0];
      await context?.store.write(systemScope('test'), ({ db }) => forgetMails(db, now));
      expect(await counts()).toEqual({ mails: 1, bounces: 1, waiting: 1 });
      await context?.store.write(systemScope('test'), ({ db }) =>
        forgetMails(db, new Date(now.getTime() + 1)),
      );
      expect(await counts()).toEqual({ mails: 0, bounces: 1, waiting: 0 });
    } finally {
      await other.stop();
    }
  });
});

describe('When there is neither a demo nor a mail server', () => {
  test('then mails wait, and there is no mailbox', async () => {
    const other = await startServiceHarness(mailService);
    try {
      const id = await request(other, reset, { partnerId: null });
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      expect(await stateOf(other, id)).toMatchObject({ status: 'waiting', attempts: 0 });
      const reply = await other.raw({ method: 'GET', url: '/dev/mailbox' });
      expect([reply.status, reply.body.code]).toEqual([404, 'E40401']);
    } finally {
      await other.stop();
    }
  });
});

test.each([
  ['MAIL_URL', 'http://mail.example.com', 'must begin with smtp:// or smtps://'],
  ['MAIL_FROM', 'nobody', 'must be an address, such as Portal <no-reply@example.com>'],
  ['MAIL_FROM', 'a@b.c\r\nBcc: d@e.f', 'must be an address, such as Portal <no-reply@example.com>'],
  ['PUBLIC_URL', 'portal', 'must be an http(s) address'],
])('The setting %s cannot be %j', (name, value, message) => {
  expect(mailService.checkSettings({ [name]: value })).toEqual([`${name}: ${message}`]);
});

test('An empty setting is an absent one', () => {
  expect(mailService.checkSettings({ MAIL_URL: '', MAIL_FROM: '', PUBLIC_URL: '' })).toEqual([]);
});

test('The migrations make what the schema says', async () => {
  await assertNoDrift(new URL('../', import.meta.url).pathname);
});
