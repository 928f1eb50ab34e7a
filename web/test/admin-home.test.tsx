import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { renderApp } from './render-app.tsx';
import { failure, overview, server } from './server.ts';
import { signInAdmin } from './sign-in.ts';

const day = 24 * 3_600_000;

const answer = (more: object) =>
  server.use(http.get('*/v1/admin/overview', () => HttpResponse.json({ ...overview, ...more })));

const linkOf = (label: string) => screen.findByRole('link', { name: new RegExp(`^${label}`) });
const filterOf = (link: HTMLElement) =>
  new URL(link.getAttribute('href') ?? '', window.location.href).searchParams;

describe('the home of administrators', () => {
  it('has figures, each with the way to what it counts', async () => {
    await signInAdmin();
    const end = new Date(Date.now() + 3 * day).toISOString();
    answer({
      tenants_by_rank: { free: 1, trial: 2, entry: 3, standard: 4, enterprise: 1_234 },
      ending: { count: 12, partners: [{ id: 2, name: 'Sakura', license_expired_on: end }] },
      new_tenants: 5,
      failed_mails: 6,
    });
    renderApp('/admin/menu');
    const all = await linkOf('すべての企業');
    expect(within(all).getByText('1,244')).toBeTruthy();
    expect(all.getAttribute('href')).toBe('/admin/partners');
    expect(filterOf(await linkOf('エンタープライズ')).get('contractRank')).toBe('enterprise');

    const ending = filterOf(await linkOf('30日以内に契約期限を迎える企業'));
    const from = Date.parse(ending.get('licenseExpiredOnStart') ?? '');
    expect(Math.abs(from - Date.now())).toBeLessThan(60_000);
    expect(Date.parse(ending.get('licenseExpiredOnEnd') ?? '') - from).toBe(30 * day);
    const created = filterOf(await linkOf('直近30日間に登録された企業')).get('createdAtStart') ?? '';
    expect(Math.abs(Date.parse(created) + 30 * day - Date.now())).toBeLessThan(60_000);
    const failed = filterOf(await linkOf('直近30日間に届かなかったメール')).get('bounceInfoStart') ?? '';
    expect(Math.abs(Date.parse(failed) + 30 * day - Date.now())).toBeLessThan(60_000);

    expect((await linkOf('Sakura')).getAttribute('href')).toBe('/admin/partner/menu/?id=2&pn=Sakura');
    expect(await linkOf('該当する12社をすべて見る')).toBeTruthy();
    const given = screen.getByRole('meter', { name: '企業に割り当て済み' });
    expect(given.getAttribute('aria-valuetext')).toBe('2,000のうち1,200（残り800）');
    expect(screen.getByRole('meter', { name: '使用中' }).getAttribute('aria-valuenow')).toBe('7');
  });

  it('tells what comes first where there is no company', async () => {
    await signInAdmin();
    const none = { free: 0, trial: 0, entry: 0, standard: 0, enterprise: 0 };
    answer({ tenants_by_rank: none, licences: { allocated: 0, given: 0, in_use: 0 } });
    renderApp('/admin/menu');
    expect(await screen.findByText('企業はまだ登録されていません')).toBeTruthy();
    expect(screen.queryByRole('link', { name: /^すべての企業/ })).toBeNull();
  });

  it('warns when no licence is left, and offers an administrator of a unit nothing of units', async () => {
    await signInAdmin(true, 63);
    answer({ licences: { allocated: 1200, given: 1200, in_use: 7 } });
    renderApp('/admin/menu');
    expect(await screen.findByText('割り当てられるライセンスが残っていません。')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'ユニットを作成' })).toBeNull();
    expect(screen.getByRole('link', { name: '企業を作成' })).toBeTruthy();
  });

  it('says why it cannot be loaded, and tries again', async () => {
    await signInAdmin();
    server.use(
      http.get('*/v1/admin/overview', () => failure('E50001', '内部エラーが発生しました。'), { once: true }),
    );
    const { user } = renderApp('/admin/menu');
    expect(await screen.findByText('内部エラーが発生しました。')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: '再試行' }));
    expect(await linkOf('すべての企業')).toBeTruthy();
  });
});
