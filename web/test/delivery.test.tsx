import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { address, renderApp } from './render-app.tsx';
import { file, noDelivery, onePage, server } from './server.ts';
import { signInPartner } from './sign-in.ts';

const base = '*/v1/partner/partners/7/files/1';
const sales = { id: 3, name: 'Sales' };
const states = { not_seen: 2, seen: 1, downloading: 1, downloaded: 1, installed: 3, failed: 2, removed: 0 };
const numbers = { targeted: { users: 8, devices: 10 }, states, failure_reasons: [] };

const delivery = {
  ...numbers,
  version: 2,
  failure_reasons: [
    { reason: 'No room', count: 2 },
    { reason: null, count: 1 },
  ],
  versions: [{ ...numbers, version: 2 }],
  groups: [
    { ...numbers, ...sales },
    { ...numbers, id: 0, name: 'Everyone' },
  ],
};
const point = (at: string, installed: number) => ({
  at,
  devices: 10,
  installed,
  on_the_way: 2,
  failed: 2,
  not_yet: 6 - installed,
});

const device = (name: string, more: object = {}) => ({
  user: { id: 12, name: 'Taro', login_id: 'taro@example.com' },
  device: { uuid: name, name, os_type: 'ios', os_version: '17.2', player_version: '3.1' },
  version: 2,
  status: 'failed',
  reason: 'No room',
  progress: null,
  at: '2026-11-25T10:00:00Z',
  told_by: 'player',
  ...more,
});

let asked: URLSearchParams[] = [];
beforeEach(async () => {
  asked = [];
  await signInPartner();
  server.use(
    http.get(base, () => HttpResponse.json({ ...file(1, 'Tour', { groups: [sales] }), signed_url: null })),
    http.get(`${base}/delivery`, () => HttpResponse.json(delivery)),
    http.get(`${base}/delivery/history`, ({ request }) => {
      const version = Number(new URL(request.url).searchParams.get('version'));
      const points =
        version === 2 ? [point('2026-11-25T09:00:00Z', 0), point('2026-11-25T10:00:00Z', 3)] : [];
      return HttpResponse.json({ version, points });
    }),
    http.get(`${base}/delivery/devices`, ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      const devices = [
        device('Tablet'),
        device('Phone', { status: 'downloading', progress: 0.5, reason: null }),
        device('', { status: 'downloaded', told_by: 'gateway', reason: null }),
        device('New', { status: 'not_seen', at: null, told_by: null, reason: null }),
      ];
      return HttpResponse.json({ ...onePage(devices.length), devices });
    }),
  );
});

describe('What has become of a file', () => {
  it('stands on its page, each number with the devices behind it', async () => {
    renderApp('/partner/files/detail/?id=1&pn=Sakura');
    const section = within(await screen.findByRole('region', { name: '配信の状況' }));
    expect(await section.findByText(/バージョン 2、8人の端末 10台/)).toBeTruthy();
    const numberOf = (name: RegExp) => section.getByRole('link', { name });
    expect(numberOf(/^インストール済み 3 30%/).getAttribute('href')).toBe(
      '/partner/files/devices/?id=1&pn=Sakura&version=2&targeted=true&status=installed',
    );
    expect(numberOf(/^配信中 2 20%.*ダウンロード中 1、ダウンロード済み 1/)).toBeTruthy();
    expect(numberOf(/^失敗 2 20%/)).toBeTruthy();
    expect(numberOf(/^未配信 3 30%.*未確認 2、確認済み 1/)).toBeTruthy();
    expect(section.getByRole('link', { name: 'No room' }).getAttribute('href')).toBe(
      '/partner/files/devices/?id=1&pn=Sakura&version=2&status=failed&reason=No%20room',
    );
    expect(section.getByText('理由の報告なし')).toBeTruthy();
    expect(section.getByRole('link', { name: 'Sales' }).getAttribute('href')).toBe(
      '/partner/files/devices/?id=1&pn=Sakura&version=2&targeted=true&group=3',
    );
    expect(section.getByRole('link', { name: 'すべてのユーザー' }).getAttribute('href')).toBe(
      '/partner/files/devices/?id=1&pn=Sakura&version=2&targeted=true&group=0',
    );
  });

  it('is drawn over time, of another version too', async () => {
    const { user } = renderApp('/partner/files/detail/?id=1&pn=Sakura');
    expect(
      await screen.findByRole('img', { name: /^推移: .*インストール済み 3、配信中 2、失敗 2、未配信 3/ }),
    ).toBeTruthy();
    await user.selectOptions(screen.getByRole('combobox', { name: 'バージョン' }), 'バージョン 1');
    expect(await screen.findByText('このバージョンの記録はまだありません。')).toBeTruthy();
  });

  it('is nothing where nobody is to have it', async () => {
    server.use(http.get(`${base}/delivery`, () => HttpResponse.json(noDelivery)));
    renderApp('/partner/files/detail/?id=1&pn=Sakura');
    expect(await screen.findByText(/誰にも配信されていないため、状況はありません/)).toBeTruthy();
  });
});

describe('The devices of a delivery', () => {
  it('are those of everyone where the address asks for these', async () => {
    server.use(http.get('*/v1/partner/partners/7/groups', () => HttpResponse.json({ groups: [] })));
    renderApp('/partner/files/devices/?id=1&pn=Sakura&group=0');
    await waitFor(() => expect(asked.at(-1)?.get('group')).toBe('0'));
    expect(await screen.findByText('グループ: 全員')).toBeTruthy();
  });

  it('are listed with what they told, as the address asks', async () => {
    renderApp('/partner/files/devices/?id=1&pn=Sakura&status=failed,seen&reason=room&version=2');
    const table = within(await screen.findByRole('table', { name: '「Tour」の端末' }));
    await waitFor(() => expect(asked.length).toBeGreaterThan(0));
    expect(Object.fromEntries(asked.at(-1) ?? [])).toMatchObject({
      status: 'failed,seen',
      reason: 'room',
      version: '2',
      order_key: 'at',
      order: 'desc',
    });
    expect(asked.at(-1)?.has('user')).toBe(false);
    expect(await table.findAllByText('Taro')).toHaveLength(4);
    const rows = table
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent ?? '');
    expect(rows[0]).toContain('Taro');
    expect(rows[0]).toContain('iOS 17.2 · プレイヤー 3.1');
    expect(rows[0]).toContain('No room');
    expect(rows[1]).toContain('50%');
    expect(rows[2]).toContain('名前のない端末');
    expect(rows[2]).toContain('サーバーの記録');
    expect(rows[3]).toContain('未確認');
  });

  it('are those alone whom a number counts, until all who told of the version are asked for', async () => {
    const { user } = renderApp('/partner/files/devices/?id=1&pn=Sakura&version=2&targeted=true');
    await waitFor(() => expect(asked.at(-1)?.get('targeted')).toBe('true'));
    await user.click(await screen.findByRole('button', { name: '現在の配信対象のみ', pressed: true }));
    await waitFor(() => expect(asked.at(-1)?.has('targeted')).toBe(false));
    expect(asked.at(-1)?.get('version')).toBe('2');
  });

  it('are narrowed by their state, and sorted', async () => {
    const { user } = renderApp('/partner/files/devices/?id=1&pn=Sakura');
    await user.click(await screen.findByRole('button', { name: '失敗' }));
    await waitFor(() => expect(address()).toContain('status=failed'));
    await user.click(await screen.findByRole('button', { name: 'ユーザー' }));
    await waitFor(() => expect(asked.at(-1)?.get('order_key')).toBe('user'));
    expect(asked.at(-1)?.get('status')).toBe('failed');
  });
});
