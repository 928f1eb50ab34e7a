import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { changeLanguage } from '../src/lib/i18n.ts';
import { renderApp } from './render-app.tsx';
import { application, effect, failure, file, noDelivery, onePage, server } from './server.ts';
import { signInAdmin, signInPartner } from './sign-in.ts';

const base = '*/v1/partner/partners/7/files/1';
const sales = { id: 3, name: 'Sales' };
const stage = (number: number, percent: number, more: object = {}) => ({
  stage: number,
  percent,
  group_ids: null,
  after: number === 1 ? null : 'P1D',
  started_at: null,
  due_at: null,
  ...more,
});
const rollout = (more: object = {}) => ({
  version: 2,
  state: 'running',
  stage: 1,
  percent: 10,
  stages: [
    stage(1, 10, { started_at: '2026-11-25T09:00:00Z' }),
    stage(2, 50, { due_at: '2026-11-26T09:00:00Z' }),
    stage(3, 100, { after: null }),
  ],
  halt: { failure_percent: 20, min_reports: 50 },
  reports: 40,
  failures: 4,
  started_at: '2026-11-25T09:00:00Z',
  halted_at: null,
  halted_by: null,
  ...more,
});
const halted = rollout({
  state: 'halted',
  reports: 50,
  failures: 12,
  halted_at: '2026-11-25T10:00:00Z',
});
const version = (number: number, more: object = {}) => ({
  version: number,
  state: 'former',
  file_name: 'tour.uap',
  file_size: 2048,
  sha256: 'abc',
  note: '',
  created_at: '2026-11-20T00:00:00Z',
  created_by: null,
  live_from: '2026-11-20T00:00:00Z',
  live_until: '2026-11-21T00:00:00Z',
  restored_from: null,
  rollout: null,
  signed_url: null,
  ...more,
});

let made: { path: string; body: unknown }[] = [];
let now: object = rollout();

beforeEach(async () => {
  made = [];
  now = rollout();
  await signInPartner();
  server.use(
    http.get(base, () => HttpResponse.json({ ...file(1, 'Tour', { groups: [sales] }), signed_url: null })),
    http.get(`${base}/rollout`, () => HttpResponse.json(now)),
    http.get(`${base}/versions`, () =>
      HttpResponse.json({
        ...onePage(2),
        versions: [version(2, { state: 'current', live_until: null, rollout: now }), version(1)],
      }),
    ),
    http.post(`${base}/rollout/:action`, async ({ params, request }) => {
      const text = await request.text();
      made.push({ path: String(params.action), body: text === '' ? undefined : JSON.parse(text) });
      if (params.action === 'halt') now = halted;
      return HttpResponse.json(now);
    }),
  );
});

const open = async () => {
  const { user } = renderApp('/partner/files/detail/?id=1&pn=Sakura');
  const panel = within(await screen.findByRole('region', { name: '段階配信' }));
  return { panel, user };
};

describe('The stages of a version', () => {
  it('stand beside each other, with what was told against the limit', async () => {
    const { panel } = await open();
    const items = within(panel.getByRole('list', { name: '段階配信' })).getAllByRole('listitem');
    expect(items.map((item) => item.textContent)).toEqual([
      expect.stringMatching(/10%.*に開始$/),
      expect.stringMatching(/50%.*に開始予定$/),
      expect.stringMatching(/100%手動で開始$/),
    ]);
    expect(items[0]?.getAttribute('aria-current')).toBe('step');
    expect(panel.getByRole('meter', { name: '失敗の割合' }).getAttribute('aria-valuetext')).toBe(
      '報告 40台のうち失敗 4台（10%、上限 20%）',
    );
    expect(panel.getByText(/報告が 50台に達すると上限が適用されます（あと 10台）/)).toBeTruthy();
  });

  it('stand on a page that was read in part before their version was there', async () => {
    let isThere = false;
    server.use(
      http.get(base, () =>
        HttpResponse.json({ ...file(1, 'Tour', { version: isThere ? 2 : 1 }), signed_url: null }),
      ),
      http.get(`${base}/versions`, () => {
        const current = version(2, { state: 'current', live_until: null, rollout: now });
        const versions = isThere ? [current, version(1)] : [version(1, { state: 'current' })];
        return HttpResponse.json({ ...onePage(versions.length), versions });
      }),
      http.get(`${base}/delivery`, async () => {
        await waitFor(() => expect(screen.getByText('バージョン 1')).toBeTruthy());
        isThere = true;
        return HttpResponse.json({ ...noDelivery, version: 2 });
      }),
    );
    await open();
  });

  it('go on after somebody was asked, who sees whom that reaches', async () => {
    const asked: unknown[] = [];
    server.use(
      http.post(`${base}/preview`, async ({ request }) => {
        asked.push(await request.json());
        return HttpResponse.json(effect({ changes: { users: 40, devices: 44, names: ['Taro', 'Jiro'] } }));
      }),
    );
    const { panel, user } = await open();
    await user.click(panel.getByRole('button', { name: '50% に進める' }));
    const dialog = within(await screen.findByRole('dialog', { name: '次の段階へ進みますか？' }));
    expect(dialog.getByText(/段階 2 をすぐに始めます/)).toBeTruthy();
    expect(await dialog.findByText(/40人/)).toBeTruthy();
    expect(asked).toEqual([{ what: 'rollout', body: { action: 'advance', stage: 2 } }]);
    await user.click(dialog.getByRole('button', { name: '次の段階へ進む' }));
    await screen.findByText('次の段階を始めました。');
    expect(made).toEqual([{ path: 'advance', body: { stage: 2, preview_token: 'told' } }]);
  });

  it('end with the effect that was shown, and become a request where two people decide', async () => {
    server.use(
      http.get('*/v1/partner/partners/7/delivery_settings', () =>
        HttpResponse.json({ versions_kept: 10, approval_required: true }),
      ),
      http.post(`${base}/rollout/cancel`, ({ request }) => {
        made.push({ path: new URL(request.url).search, body: undefined });
        return HttpResponse.json({ approval_id: 9 }, { status: 202 });
      }),
    );
    const { panel, user } = await open();
    await user.click(panel.getByRole('button', { name: '中止する' }));
    const dialog = within(await screen.findByRole('dialog', { name: '段階配信を中止しますか？' }));
    const confirm = await dialog.findByRole('button', { name: '承認を依頼' });
    await waitFor(() => expect(confirm.hasAttribute('disabled')).toBe(false));
    await user.click(confirm);
    expect(await screen.findByRole('button', { name: '依頼を見る' })).toBeTruthy();
    expect(made).toEqual([{ path: '?preview_token=told', body: undefined }]);
  });

  it('halt at once, also while nobody knows whom that reaches', async () => {
    server.use(http.post(`${base}/preview`, () => failure('E50001', '内部エラーが発生しました。')));
    const { panel, user } = await open();
    await user.click(panel.getByRole('button', { name: '停止する' }));
    const dialog = within(await screen.findByRole('dialog', { name: '段階配信を停止しますか？' }));
    await user.click(dialog.getByRole('button', { name: '停止する' }));
    expect(await panel.findByText(/自動で停止しました。報告 50台のうち 12台が失敗しています/)).toBeTruthy();
    expect(made).toEqual([{ path: 'halt', body: undefined }]);
  });

  it('that halted offer the version before as the way out', async () => {
    now = halted;
    const { panel, user } = await open();
    expect(panel.getByRole('alert').textContent).toContain('前のバージョンが配信されます');
    expect(panel.getAllByRole('button').map((button) => button.textContent)).toEqual([
      'バージョン 1 に戻す',
      '再開する',
      '中止する',
    ]);
    await user.click(panel.getByRole('button', { name: 'バージョン 1 に戻す' }));
    expect(await screen.findByRole('dialog', { name: 'バージョン 1 に戻しますか？' })).toBeTruthy();
  });

  it.each([
    ['by its limit', { ...halted, state: 'cancelled' }, /自動で停止しました。.* 段階配信は中止されました/],
    [
      'by hand',
      { ...halted, state: 'cancelled', halted_by: { id: 2, name: 'Hanako' } },
      /Hanako さんが停止しました。 段階配信は中止されました/,
    ],
    ['never', rollout({ state: 'cancelled' }), /^段階配信は中止されました。再開はできません。 これ以上/],
  ])('that were cancelled say so after how they were halted: %s', async (_, cancelled, words) => {
    now = cancelled;
    const { panel } = await open();
    const notice = await panel.findByText(/段階配信は中止されました/);
    expect(notice.parentElement?.textContent?.trim()).toMatch(words);
  });

  it('that were cancelled say so in English, too', async () => {
    await changeLanguage('en');
    try {
      now = { ...halted, state: 'cancelled', halted_by: { id: 2, name: 'Hanako' } };
      renderApp('/partner/files/detail/?id=1&pn=Sakura');
      expect(await screen.findByText(/Hanako halted it at .*\. It was cancelled for good\./)).toBeTruthy();
      now = rollout({ state: 'cancelled' });
      cleanup();
      renderApp('/partner/files/detail/?id=1&pn=Sakura');
      expect(await screen.findByText(/^\s*It was cancelled for good\.$/)).toBeTruthy();
    } finally {
      await changeLanguage('ja');
    }
  });

  it('say why they do not go on', async () => {
    server.use(http.post(`${base}/rollout/:action`, () => failure('E40034', 'ステータスが不正です。')));
    const { panel, user } = await open();
    await user.click(panel.getByRole('button', { name: '中止する' }));
    const dialog = within(await screen.findByRole('dialog', { name: '段階配信を中止しますか？' }));
    const confirm = dialog.getByRole('button', { name: '中止する' });
    await waitFor(() => expect(confirm.hasAttribute('disabled')).toBe(false));
    await user.click(confirm);
    expect(await screen.findByText('ステータスが不正です。')).toBeTruthy();
  });

  it('are read by a developer, who changes nothing', async () => {
    await signInPartner({ role: 16 });
    const { panel } = await open();
    expect(panel.queryAllByRole('button')).toEqual([]);
  });
});

describe('The form of the groups', () => {
  const assignment = () => {
    const bodies: unknown[] = [];
    server.use(
      http.put(`${base}/groups`, async ({ request }) => {
        bodies.push(await request.json());
        return HttpResponse.json({});
      }),
    );
    return bodies;
  };

  it('offers to end stages that go on, not to begin others', async () => {
    const bodies = assignment();
    const { user } = renderApp('/partner/files/groups/?id=1&pn=Sakura');
    await user.click(await screen.findByRole('radio', { name: /^全員にすぐ配信する/ }));
    expect(screen.queryByRole('radio', { name: /^段階的に配信する/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: '設定を確認' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/配信のしかた: 全員にすぐ配信する/)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: '設定する' }));
    await waitFor(() => expect(bodies).toMatchObject([{ group_ids: [3], rollout: null }]));
  });

  it('begins with the stages that go on by now, so that it does not end them unasked', async () => {
    now = rollout({ state: 'done' });
    server.use(
      http.get('*/v1/partner/partners/7/files', () =>
        HttpResponse.json({ ...onePage(1), files: [file(1, 'Tour')] }),
      ),
    );
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const { user } = renderApp('/partner/files/groups/?id=1&pn=Sakura');
      await screen.findByRole('radio', { name: /^段階的に配信する/ });
      await user.click(screen.getByRole('link', { name: 'キャンセル' }));
      const again = await screen.findByRole('link', { name: '配信グループの設定: Tour' });
      now = rollout();
      vi.setSystemTime(Date.now() + 60_000);
      await user.click(again);
      const keep = await screen.findByRole<HTMLInputElement>('radio', { name: /^今の段階のまま/ });
      expect(keep.checked).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it('takes stages, and says what is wrong with them before it asks', async () => {
    now = rollout({ state: 'done' });
    const bodies = assignment();
    const { user } = renderApp('/partner/files/groups/?id=1&pn=Sakura');
    await user.click(await screen.findByRole('radio', { name: /^段階的に配信する/ }));
    await user.click(screen.getByRole('button', { name: '試験グループから' }));
    await user.click(screen.getByRole('button', { name: '設定を確認' }));
    expect(await screen.findByText('試験グループを選んでください。')).toBeTruthy();
    const pilots = within(screen.getByRole('group', { name: '段階 1 の試験グループ' }));
    await user.click(await pilots.findByRole('checkbox', { name: /Sales/ }));
    const percent = screen.getByRole('textbox', { name: '段階 2 の割合（%）' });
    await user.clear(percent);
    await user.type(percent, '30');
    await user.click(screen.getByRole('button', { name: '設定を確認' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/試験グループの 100% → 30%（前の段階の 1日後） → 100%/)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: '設定する' }));
    await waitFor(() =>
      expect(bodies).toMatchObject([
        {
          rollout: {
            stages: [
              { percent: 100, group_ids: [3] },
              { percent: 30, after: 'P1D' },
              { percent: 100, after: 'P1D' },
            ],
          },
        },
      ]),
    );
  });
});

describe('The stages of an application', () => {
  const numbers = (installed: number, failed: number, devices: number) => ({
    targeted: { users: devices, devices },
    states: {
      not_seen: devices - installed - failed,
      seen: 0,
      downloading: 0,
      downloaded: 0,
      installed,
      failed,
      removed: 0,
    },
    failure_reasons: [],
  });
  const app = '*/v1/admin/applications/4';

  beforeEach(async () => {
    await signInAdmin();
    server.use(
      http.get(app, () => HttpResponse.json(application)),
      http.get(`${app}/rollout`, () => HttpResponse.json(now)),
      http.get(`${app}/versions`, () =>
        HttpResponse.json({
          ...onePage(2),
          versions: [version(2, { state: 'current', live_until: null, rollout: now }), version(1)],
        }),
      ),
      http.get(`${app}/delivery`, () =>
        HttpResponse.json({
          ...onePage(2),
          ...numbers(5, 2, 12),
          version: 2,
          versions: [],
          partners: [
            { id: 1, name: 'Alpha', ...numbers(5, 0, 6) },
            { id: 2, name: 'Beta', ...numbers(0, 2, 6) },
          ],
        }),
      ),
      http.post(`${app}/rollout/:action`, async ({ params, request }) => {
        const text = await request.text();
        made.push({ path: String(params.action), body: text === '' ? undefined : JSON.parse(text) });
        if (params.action === 'halt') now = halted;
        return HttpResponse.json(now);
      }),
      http.post(`${app}/versions/1/restore`, async ({ request }) => {
        made.push({ path: 'restore', body: await request.json() });
        return HttpResponse.json({ version: 3 }, { status: 201 });
      }),
    );
  });

  it('are halted by who publishes it, who sees what became of it in each company, and puts the version before back', async () => {
    const { user } = renderApp('/admin/applications/detail/?id=4');
    const panel = within(await screen.findByRole('region', { name: '段階配信' }));
    const table = within(await screen.findByRole('table', { name: '企業別' }));
    expect(table.getAllByRole('row').map((row) => row.textContent)).toEqual([
      expect.anything(),
      expect.stringMatching(/Alpha6.*5/),
      expect.stringMatching(/Beta6.*2/),
    ]);
    await user.click(panel.getByRole('button', { name: '停止する' }));
    const asked = within(await screen.findByRole('dialog', { name: '段階配信を停止しますか？' }));
    await user.click(asked.getByRole('button', { name: '停止する' }));
    await user.click(await panel.findByRole('button', { name: 'バージョン 1 に戻す' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'バージョン 1 に戻しますか？' }));
    await user.click(dialog.getByRole('radio', { name: /段階/ }));
    // Groups are those of its companies.
    expect(dialog.queryByRole('combobox', { name: /対象/ })).toBeNull();
    expect(dialog.queryByRole('button', { name: /試験グループ/ })).toBeNull();
    await user.click(dialog.getByRole('button', { name: '元に戻す' }));
    await waitFor(() =>
      expect(made).toEqual([
        { path: 'halt', body: undefined },
        {
          path: 'restore',
          body: {
            rollout: {
              stages: [
                { percent: 1 },
                { percent: 10, after: 'P1D' },
                { percent: 50, after: 'P1D' },
                { percent: 100, after: 'P1D' },
              ],
              halt: { failure_percent: 5, min_reports: 20 },
            },
          },
        },
      ]),
    );
  }, 30_000);
});
