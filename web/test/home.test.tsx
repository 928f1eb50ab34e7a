import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { address, renderApp } from './render-app.tsx';
import {
  failure,
  file,
  filesOverview,
  group,
  onePage,
  server,
  summary,
  user,
  usersOverview,
} from './server.ts';
import { signInPartner } from './sign-in.ts';

const base = '*/v1/partner/partners/7';
const day = 24 * 3_600_000;

const onTheWire = (time: Date) => `${time.toISOString().slice(0, 19)}Z`;

/** The same time of day as now, so many days ahead. */
const inDays = (days: number) => {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 12);
};

const answer = (path: string, reply: object) =>
  server.use(http.get(`${base}/${path}`, () => HttpResponse.json(reply)));

beforeEach(async () => {
  await signInPartner();
  answer('summary', summary());
});

const linkOf = async (label: string) => screen.findByRole('link', { name: new RegExp(`^${label}`) });

describe('the figures of the home', () => {
  beforeEach(() => {
    answer('files/overview', {
      ...filesOverview,
      delivered_today: 2,
      delivered_week: 31,
      reserved_week: 4,
      nobody: 5,
      interrupted: 1_234,
    });
    answer('users/overview', {
      total: 91,
      without_password: 7,
      last_sign_ins: [{ id: 12, name: 'Taro', at: '2026-11-21T00:00:00Z' }],
    });
  });

  it.each([
    ['今日配信したファイル', '2', { deliveredAtStart: '1d' }],
    ['直近7日間に配信したファイル', '31', { deliveredAtStart: '7d' }],
    ['配信先のないファイル', '5', { state: 'nobody' }],
    ['中断したアップロード', '1,234', { state: 'interrupted' }],
  ])('%s: %s, which lead to the list of them', async (label, figure, filter) => {
    renderApp('/partner/menu');
    const link = await linkOf(label);
    expect(within(link).getByText(figure)).toBeTruthy();
    expect(link.getAttribute('href')).toBe(`/partner/files?${new URLSearchParams(filter)}`);
  });

  it('reservations lead to those that are due within a week from when they were counted', async () => {
    const before = Date.now();
    renderApp('/partner/menu');
    const link = await linkOf('今後7日間の予約');
    expect(within(link).getByText('4')).toBeTruthy();
    const { searchParams } = new URL(link.getAttribute('href') ?? '', window.location.href);
    const until = Date.parse(searchParams.get('dueAtEnd') ?? '') - 7 * day;
    expect(until).toBeGreaterThanOrEqual(before - 1_000);
    expect(until).toBeLessThanOrEqual(Date.now());
  });

  it('of users lead to them, and the names of the last sign-ins to each', async () => {
    renderApp('/partner/menu');
    expect((await linkOf('すべてのユーザー')).getAttribute('href')).toBe('/partner/users');
    const none = await linkOf('パスワード未設定のユーザー');
    expect(within(none).getByText('7')).toBeTruthy();
    expect(none.getAttribute('href')).toBe('/partner/users?passwordState=none');
    expect((await linkOf('Taro')).getAttribute('href')).toBe('/partner/users/detail/?id=12&pn=Sakura');
  });

  it('ask the list for the same files', async () => {
    let asked: URLSearchParams | undefined;
    server.use(
      http.get(`${base}/files`, ({ request }) => {
        const query = new URL(request.url).searchParams;
        // The first steps of the home page ask without icons.
        if (query.has('include_icon_url')) asked = query;
        return HttpResponse.json({ ...onePage(2), files: [file(1, 'Tour'), file(2, 'Map')] });
      }),
    );
    const app = renderApp('/partner/menu');
    await app.user.click(await linkOf('今日配信したファイル'));
    expect(await screen.findByRole('rowheader', { name: /Tour/ })).toBeTruthy();
    const now = new Date();
    const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate());
    expect(asked?.get('delivered_at_start')).toBe(onTheWire(midnight));
  });

  it('that cannot be loaded say why, beside those that can', async () => {
    server.use(http.get(`${base}/files/overview`, () => failure('E50001', '内部エラーが発生しました。')));
    renderApp('/partner/menu');
    expect(await screen.findByText('内部エラーが発生しました。')).toBeTruthy();
    expect(await linkOf('すべてのユーザー')).toBeTruthy();
  });

  it('are those that a developer and a push sender may see', async () => {
    await signInPartner({ role: 16 });
    const developers = renderApp('/partner/menu');
    expect(await linkOf('配信先のないファイル')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'ユーザーを作成' })).toBeNull();
    expect(screen.queryByRole('meter')).toBeNull();
    expect(screen.queryByText('はじめに行うこと')).toBeNull();
    await signInPartner({ role: 1 });
    developers.reload();
    expect(await linkOf('すべてのユーザー')).toBeTruthy();
    expect(screen.queryByRole('link', { name: /^配信先のないファイル/ })).toBeNull();
    expect(screen.queryByRole('link', { name: 'ファイルを登録' })).toBeNull();
  });
});

describe('the end of the contract', () => {
  it.each([
    [31, null],
    [30, /契約期限まであと30日です/],
    [1, /契約期限まであと1日です/],
    [0, /契約期限は本日/],
    [-1, /過ぎました/],
  ])('is warned of %s days before: %s', async (days, warning) => {
    answer('summary', summary({ license_expired_on: onTheWire(inDays(days)) }));
    renderApp('/partner/menu');
    expect(await screen.findByRole('meter', { name: 'ライセンス' })).toBeTruthy();
    if (warning === null) expect(screen.queryByText(/契約期限(まで|は本日)/)).toBeNull();
    else expect(screen.getByText(warning)).toBeTruthy();
  });

  it('is told to developers by their sign-in', async () => {
    await signInPartner({ role: 16, licenseExpiredOn: inDays(3) });
    renderApp('/partner/menu');
    expect(await screen.findByText(/契約期限まであと3日です/)).toBeTruthy();
  });

  it.each([
    ['user', 'ライセンスに空きがないため、ユーザーを追加できません。'],
    ['device', 'ライセンスに空きがないため、新しい端末ではログインできません。'],
  ])('comes with a warning when no licence of a %s is left', async (license_type, warning) => {
    answer('summary', summary({ license_remaining: 0, license_type }));
    renderApp('/partner/menu');
    expect(await screen.findByText(warning)).toBeTruthy();
  });
});

describe('a contract that the operator changes while the portal is open', () => {
  const rankShown = async () => (await screen.findByText('契約プラン')).nextElementSibling?.textContent;
  /** What the session, which navigation and pages go by, has of the company. */
  const known = (): unknown => JSON.parse(localStorage.getItem('portal.partner') ?? '{}').partner;

  it('is known to the session of an admin by the next summary', async () => {
    answer('summary', summary({ contract_rank: 'standard', license_type: 'device' }));
    renderApp('/partner/menu');
    expect(await rankShown()).toBe('スタンダード');
    await waitFor(() => expect(known()).toMatchObject({ contractRank: 'standard', licenseType: 'device' }));
  });

  it('is asked for when it refuses a call, also of who sees no summary', async () => {
    await signInPartner({ role: 16 });
    server.use(
      http.get(`${base}/groups`, () => failure('E40304', 'ご契約のプランではご利用いただけません。')),
      http.get('*/v1/token/validate', () =>
        HttpResponse.json({
          valid: true,
          kind: 'partner',
          role: 16,
          contract_rank: 'entry',
          expires_in: 3000,
        }),
      ),
    );
    const { user } = renderApp('/partner/groups');
    await screen.findByText('ご契約のプランではご利用いただけません。');
    await waitFor(() => expect(known()).toMatchObject({ contractRank: 'entry', licenseType: 'user' }));
    const navigation = within(screen.getByRole('navigation', { name: 'メインメニュー' }));
    await user.click(navigation.getByRole('link', { name: 'ホーム' }));
    expect(await rankShown()).toBe('エントリー');
  });
});

describe('the first steps of a new company', () => {
  const done = (text: string) => screen.findByText(text, { selector: 'li span' });

  it('lead to where they are done, and tick themselves off by what there is', async () => {
    answer('groups', { ...onePage(0), groups: [] });
    answer('users', { ...onePage(1), users: [user(1, 'Hanako')] });
    answer('users/overview', {
      ...usersOverview,
      last_sign_ins: [{ id: 1, name: 'Hanako', at: '2026-11-21T00:00:00Z' }],
    });
    const app = renderApp('/partner/menu');
    expect(await screen.findByText('5件中0件完了')).toBeTruthy();
    expect((await linkOf('グループを作成する')).getAttribute('href')).toBe('/partner/groups/create');
    expect((await linkOf('ユーザーを追加する')).getAttribute('href')).toBe('/partner/users/create');
    expect((await linkOf('ファイルを登録する')).getAttribute('href')).toBe('/partner/files/create');

    answer('groups', { ...onePage(1), groups: [group(3, 'Sales')] });
    answer('users', { ...onePage(2), users: [user(1, 'Hanako'), user(12, 'Taro')] });
    server.use(
      http.get(`${base}/files`, ({ request }) => {
        const isOfNobody = new URL(request.url).searchParams.get('state')?.includes('nobody');
        return HttpResponse.json({
          ...onePage(isOfNobody ? 1 : 0),
          files: isOfNobody ? [file(1, 'Tour')] : [],
        });
      }),
    );
    app.reload();
    expect(await screen.findByText('5件中3件完了')).toBeTruthy();
    for (const text of ['グループを作成する', 'ユーザーを追加する', 'ファイルを登録する'])
      expect(await done(text)).toBeTruthy();
    expect(await linkOf('ファイルの配信先を選ぶ')).toBeTruthy();
  });

  it('are gone when all are done', async () => {
    answer('users', { ...onePage(1), users: [user(12, 'Taro')] });
    answer('files', { ...onePage(1), files: [file(1, 'Tour')] });
    answer('users/overview', {
      ...usersOverview,
      last_sign_ins: [{ id: 12, name: 'Taro', at: '2026-11-21T00:00:00Z' }],
    });
    renderApp('/partner/menu');
    expect(await linkOf('すべてのユーザー')).toBeTruthy();
    expect(screen.queryByText('はじめに行うこと')).toBeNull();
  });

  it('stay away once somebody wants no more of them, beside the other preferences', async () => {
    let kept: object = { language: 'ja' };
    server.use(
      http.get('*/v1/partner/preferences', () => HttpResponse.json(kept)),
      http.put('*/v1/partner/preferences', async ({ request }) => {
        kept = (await request.json()) as object;
        return HttpResponse.json({});
      }),
    );
    const app = renderApp('/partner/menu');
    await app.user.click(await screen.findByRole('button', { name: '表示しない' }));
    await waitFor(() => expect(screen.queryByText('はじめに行うこと')).toBeNull());
    expect(kept).toEqual({ language: 'ja', homeStepsDismissed: true });
    app.reload();
    expect(await linkOf('すべてのユーザー')).toBeTruthy();
    expect(screen.queryByText('はじめに行うこと')).toBeNull();
    expect(address()).toBe('/partner/menu');
  });
});
