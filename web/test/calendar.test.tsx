import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { address, renderApp } from './render-app.tsx';
import { failure, file, onePage, server } from './server.ts';
import { signInPartner } from './sign-in.ts';

const base = '*/v1/partner/partners/7';

const entry = (kind: string, at: Date, more: object = {}) => ({
  kind,
  at: at.toISOString().replace(/\.\d+Z$/, 'Z'),
  title: 'Tour',
  file_id: null,
  version: null,
  notification_id: null,
  certification_id: null,
  movable: false,
  ...more,
});

/** Of a month that is ahead, whenever the test runs. */
const at = (day: number, hour = 10) => new Date(2031, 4, day, hour, 30);
const delivery = entry('delivery', at(14), { file_id: 1, version: 1, movable: true });
const update = entry('update', at(20, 15), { title: 'Catalogue', file_id: 2, version: 3, movable: true });
const push = entry('push', at(21), { title: 'News', notification_id: 9 });

let asked: URLSearchParams[] = [];
let changes: { path: string; body: unknown }[] = [];
let previewed: unknown[] = [];
const nobody = { users: 0, devices: 0, names: [] };
const calendar = (entries: readonly object[], more = false) =>
  http.get(`${base}/calendar`, ({ request }) => {
    asked.push(new URL(request.url).searchParams);
    return HttpResponse.json({ entries, more });
  });

beforeEach(() => {
  asked = [];
  changes = [];
  previewed = [];
  const changed = async ({ request }: { request: Request }) => {
    changes.push({ path: new URL(request.url).pathname, body: await request.json() });
    return HttpResponse.json({});
  };
  server.use(
    calendar([delivery, update, push]),
    http.get(`${base}/files/:id`, ({ params }) =>
      HttpResponse.json({
        ...file(Number(params.id), 'Tour', { groups: [{ id: 3, name: 'Sales' }] }),
        signed_url: null,
      }),
    ),
    http.post(`${base}/files/:id/preview`, async ({ request }) => {
      previewed.push(await request.json());
      return HttpResponse.json({
        preview_token: `token-${previewed.length}`,
        expires_at: '2031-05-14T00:00:00Z',
        gains: { users: 1234, devices: 2345, names: ['Taro'] },
        loses: nobody,
        changes: nobody,
        bytes: 2048,
        collisions: [],
      });
    }),
    http.get(`${base}/delivery_settings`, () =>
      HttpResponse.json({ versions_kept: 10, approval_required: false }),
    ),
    http.put(`${base}/files/:id`, changed),
    http.put(`${base}/files/:id/reservation`, changed),
  );
});

async function open(query = '?day=2031-05-14') {
  await signInPartner();
  const app = renderApp(`/partner/calendar${query}`);
  await screen.findByRole('heading', { level: 1, name: 'カレンダー' });
  return app;
}
const cellOf = (day: string) => {
  const cell = screen.getByRole('button', { name: new RegExp(`^${day}`) }).closest('td');
  if (!cell) throw new Error(`No cell of ${day}`);
  return cell;
};
const entryButton = (name: RegExp) => screen.findByRole('button', { name });

describe('the calendar', () => {
  it('asks for the weeks of the month, and has each entry on its day', async () => {
    await open();
    await entryButton(/^配信: \d+:\d+ Tour/);
    expect(within(cellOf('2031年5月14日')).getByText('Tour')).toBeTruthy();
    expect(within(cellOf('2031年5月20日')).getByText('Catalogue')).toBeTruthy();
    expect(screen.getByText('2031年5月')).toBeTruthy();
    // Sunday, 27 April, to Saturday, 31 May.
    expect(new Date(asked[0]?.get('start') ?? '')).toEqual(new Date(2031, 3, 27));
    expect(new Date(asked[0]?.get('end') ?? '')).toEqual(new Date(2031, 4, 31, 23, 59, 59));
  });

  it('turns over, shows the week and the list, and keeps that in the address', async () => {
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: '次へ' }));
    expect(address()).toContain('day=2031-06-01');
    await user.click(screen.getByRole('button', { name: '前へ' }));
    await user.click(screen.getByRole('radio', { name: '一覧' }));
    expect(address()).toContain('view=list');
    const list = await screen.findByRole('region', { name: /2031年5月14日.*の予定/ });
    expect(within(list).getByRole('button', { name: '移動: Tour' })).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: '週' }));
    expect(await screen.findByText(/2031年4月27日〜2031年5月3日/)).toBeTruthy();
  });

  it('has every hour of a week in which the clock is put forward', async () => {
    vi.stubEnv('TZ', 'Europe/London');
    try {
      expect(new Date(2031, 2, 30, 1).getHours()).toBe(2);
      await open('?day=2031-03-30&view=week');
      const heads = (await screen.findAllByRole('rowheader')).map(({ textContent }) => textContent);
      expect(heads).toEqual(Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`));
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('shows some kinds alone', async () => {
    const { user } = await open();
    await entryButton(/^配信: \d+:\d+ Tour/);
    await user.click(screen.getByRole('button', { name: '更新' }));
    await waitFor(() => expect(asked.at(-1)?.get('kind')).toBe('update'));
    expect(address()).toContain('kind=update');
  });

  it('tells what an entry is, and leads to its page', async () => {
    const { user } = await open();
    await user.click(await entryButton(/^プッシュ通知: \d+:\d+ News/));
    const dialog = within(await screen.findByRole('dialog', { name: 'News' }));
    expect(dialog.getByRole('link', { name: 'プッシュ通知を開く' }).getAttribute('href')).toContain(
      '/partner/push-notifications/detail/?id=9',
    );
    expect(dialog.queryByRole('button', { name: '日時を変更' })).toBeNull();
  });

  it('says where there is nothing, and where there is too much', async () => {
    server.use(calendar([]));
    await open('?view=list');
    expect(await screen.findByText('この期間の予定はありません')).toBeTruthy();
    server.use(calendar([delivery], true));
    await open('?day=2031-05-14');
    expect(await screen.findByText(/一部のみ表示/)).toBeTruthy();
  });
});

describe('an entry that is moved', () => {
  it('by the keyboard goes by days and weeks, and is changed once that is confirmed', async () => {
    const { user } = await open();
    const button = await entryButton(/^配信: \d+:\d+ Tour/);
    button.focus();
    await user.keyboard('m');
    const bar = await screen.findByRole('group', { name: '「Tour」の配信を移動中' });
    expect(document.activeElement).toBe(bar);
    await user.keyboard('{ArrowRight}{ArrowDown}');
    expect(within(bar).getByText(/移動先: 5月22日/)).toBeTruthy();
    expect(changes).toEqual([]);
    await user.keyboard('{Enter}');
    const dialog = within(await screen.findByRole('dialog', { name: '配信日時を変更しますか？' }));
    expect(await dialog.findByText('Sales')).toBeTruthy();
    expect(await dialog.findByText(/1,234/)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: '変更する' }));
    await screen.findByText(/「Tour」を.*に移動しました/);
    const body = {
      deliver_reservation_at: at(22)
        .toISOString()
        .replace(/\.\d+Z$/, 'Z'),
    };
    expect(previewed).toEqual([{ what: 'file', body }]);
    const path = '/v1/partner/partners/7/files/1';
    expect(changes).toEqual([{ path, body: { ...body, preview_token: 'token-1' } }]);
    expect(screen.queryByRole('group', { name: /移動中/ })).toBeNull();
  });

  it('stays where it is after Escape, and gives the focus back', async () => {
    const { user } = await open();
    const button = await entryButton(/^更新: \d+:\d+ Catalogue/);
    button.focus();
    await user.keyboard('m{ArrowLeft}{Escape}');
    expect(screen.queryByRole('group', { name: /移動中/ })).toBeNull();
    expect(document.activeElement).toBe(button);
    expect(changes).toEqual([]);
  });

  it('is dragged to another day, and shows what the server refuses', async () => {
    const { user } = await open();
    const button = await entryButton(/^更新: \d+:\d+ Catalogue/);
    expect(button.getAttribute('draggable')).toBe('true');
    const dataTransfer = { setData: () => undefined, effectAllowed: '', dropEffect: '' };
    fireEvent.dragStart(button, { dataTransfer });
    fireEvent.dragOver(cellOf('2031年5月23日'), { dataTransfer });
    fireEvent.drop(cellOf('2031年5月23日'), { dataTransfer });
    const dialog = within(await screen.findByRole('dialog', { name: '更新日時を変更しますか？' }));
    await dialog.findByText(/1,234/);
    const told = '更新予約日時は配信予約日時より後にしてください。';
    server.use(
      http.put(`${base}/files/2/reservation`, () =>
        failure('E40025', told, [{ field: 'update_reservation_at', message: told }]),
      ),
    );
    await user.click(dialog.getByRole('button', { name: '変更する' }));
    expect(await dialog.findByText(`新しい日時: ${told}`)).toBeTruthy();
    expect(changes).toEqual([]);
  });

  it('waits for another administrator where two people decide', async () => {
    let looks = 0;
    server.use(
      http.put(`${base}/files/:id`, () => HttpResponse.json({ approval_id: 4 }, { status: 202 })),
      http.get(`${base}/delivery_settings`, () =>
        HttpResponse.json({ versions_kept: 10, approval_required: true }),
      ),
      http.get(`${base}/approvals`, () => {
        looks += 1;
        return HttpResponse.json({ ...onePage(0), approvals: [] });
      }),
    );
    const { user } = await open();
    // The number beside the way to the approvals.
    await waitFor(() => expect(looks).toBeGreaterThan(0), { timeout: 10_000 });
    const before = looks;
    (await entryButton(/^配信: \d+:\d+ Tour/)).focus();
    await user.keyboard('m{ArrowRight}{Enter}');
    const dialog = within(await screen.findByRole('dialog', { name: '配信日時を変更しますか？' }));
    await dialog.findByText(/1,234/);
    await user.click(await dialog.findByRole('button', { name: '承認を依頼' }));
    expect(await screen.findByText(/承認を依頼しました/)).toBeTruthy();
    await waitFor(() => expect(looks).toBeGreaterThan(before));
  });

  it('waits for nobody where nobody gets the file', async () => {
    server.use(
      http.get(`${base}/files/:id`, ({ params }) =>
        HttpResponse.json({ ...file(Number(params.id), 'Tour', { groups: [] }), signed_url: null }),
      ),
      http.get(`${base}/delivery_settings`, () =>
        HttpResponse.json({ versions_kept: 10, approval_required: true }),
      ),
    );
    const { user } = await open();
    (await entryButton(/^配信: \d+:\d+ Tour/)).focus();
    await user.keyboard('m{ArrowRight}{Enter}');
    const dialog = within(await screen.findByRole('dialog', { name: '配信日時を変更しますか？' }));
    await dialog.findByText(/1,234/);
    expect(dialog.getByRole('button', { name: '変更する' })).toBeTruthy();
    expect(dialog.queryByRole('button', { name: '承認を依頼' })).toBeNull();
  });

  it('is none that only tells: a push is neither dragged nor picked up', async () => {
    const { user } = await open();
    const button = await entryButton(/^プッシュ通知: \d+:\d+ News/);
    expect(button.getAttribute('draggable')).toBe('false');
    button.focus();
    await user.keyboard('m');
    expect(screen.queryByRole('group', { name: /移動中/ })).toBeNull();
  });

  it('goes to an hour of the week', async () => {
    const { user } = await open('?day=2031-05-14&view=week');
    const button = await entryButton(/^配信: \d+:\d+ Tour/);
    button.focus();
    await user.keyboard('m{ArrowDown}');
    const bar = screen.getByRole('group', { name: /移動中/ });
    expect(within(bar).getByText(/5月14日.* 11:30/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: /^5月16日.* 18:30に移動$/ }));
    const dialog = within(await screen.findByRole('dialog', { name: '配信日時を変更しますか？' }));
    expect(dialog.getByLabelText(/^新しい日時/)).toHaveProperty('value', '2031-05-16T18:30');
  });
});

describe('the address for calendar programs', () => {
  it('is made, shown once, and revoked', async () => {
    let made: string | null = null;
    server.use(
      http.get(`${base}/calendar/token`, () =>
        made === null
          ? failure('E40401', '対象が見つかりません。')
          : HttpResponse.json({ created_at: '2026-11-21T00:00:00Z', last_used_at: null }),
      ),
      http.post(`${base}/calendar/token`, () => {
        made = 'secret-token';
        const url = `http://portal.test/v1/partner/partners/7/calendar.ics?token=${made}`;
        return HttpResponse.json({ token: made, url }, { status: 201 });
      }),
      http.delete(`${base}/calendar/token`, () => {
        made = null;
        return HttpResponse.json({});
      }),
    );
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'カレンダーアプリで見る' }));
    await user.click(await screen.findByRole('button', { name: 'URLを発行' }));
    const shown = within(await screen.findByRole('dialog', { name: 'URLを発行しました' }));
    expect(shown.getByLabelText('カレンダーのURL').textContent).toContain('secret-token');
    await user.click(shown.getByRole('button', { name: '閉じる' }));
    expect(document.body.textContent).not.toContain('secret-token');
    await user.click(screen.getByRole('button', { name: 'カレンダーアプリで見る' }));
    expect(await screen.findByText('未使用')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'URLを失効' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'URLを失効しますか？' }));
    await user.click(dialog.getByRole('button', { name: 'URLを失効' }));
    await screen.findByText('URLを失効しました。');
    expect(made).toBeNull();
    expect(await screen.findByText('URLはまだ発行されていません。')).toBeTruthy();
  });
});
