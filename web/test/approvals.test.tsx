import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { address, renderApp } from './render-app.tsx';
import { effect, failure, onePage, server } from './server.ts';
import { signInPartner } from './sign-in.ts';

const base = '*/v1/partner/partners/7/approvals';
const { gains, loses, changes, bytes } = effect({
  gains: { users: 30, devices: 41, names: ['Taro', 'Jiro'] },
  bytes: 84_000,
});

const approval = (id: number, more: object = {}) => ({
  id,
  what: 'groups',
  state: 'waiting',
  file: { id: 1, name: 'Tour' },
  body: { group_ids: [0, 3], notify_email: true, notify_push: false },
  preview: { gains, loses, changes, bytes },
  by: { id: 2, name: 'Ichiro Suzuki' },
  at: '2026-11-21T00:00:00Z',
  expires_at: '2026-11-28T00:00:00Z',
  decided_by: null,
  decided_at: null,
  comment: null,
  ...more,
});

let shown = approval(8);
let decisions: [string, unknown][] = [];
let asked: URL[] = [];

beforeEach(() => {
  shown = approval(8);
  decisions = [];
  asked = [];
  server.use(
    http.get(base, ({ request }) => {
      asked.push(new URL(request.url));
      const rows = [
        shown,
        approval(7, {
          what: 'settings',
          file: null,
          body: { versions_kept: 5, approval_required: false },
          preview: null,
          state: 'declined',
          decided_by: { id: 2, name: 'Ichiro Suzuki' },
        }),
      ];
      return HttpResponse.json({ ...onePage(rows.length), approvals: rows });
    }),
    http.get(`${base}/8`, () => HttpResponse.json(shown)),
    http.post(`${base}/8/:decision`, async ({ params, request }) => {
      decisions.push([String(params.decision), await request.json()]);
      shown = approval(8, {
        state: params.decision === 'approve' ? 'approved' : 'declined',
        decided_by: { id: 1, name: 'Hanako' },
        decided_at: '2026-11-22T00:00:00Z',
        comment: 'よいと思います',
      });
      return HttpResponse.json({});
    }),
    http.get('*/v1/partner/partners/7/admins', () => HttpResponse.json({ ...onePage(1), admins: [] })),
  );
});

async function openDetail() {
  await signInPartner();
  const app = renderApp('/partner/approvals/detail/?id=8&pn=Sakura');
  await screen.findByRole('heading', { level: 1, name: '配信グループの設定:「Tour」' });
  return app;
}

describe('the list of approvals', () => {
  it('say how many versions are kept, where that is a part of them', async () => {
    const body = { versions_kept: 5, approval_required: false };
    shown = approval(8, { what: 'settings', file: null, preview: null, body });
    await signInPartner();
    renderApp('/partner/approvals/detail/?id=8&pn=Sakura');
    const term = await screen.findByText('保持するバージョンの数');
    expect(term.nextElementSibling?.textContent).toBe('5');
  });

  it('tells what waits, of whom and until when, and how many do beside the way to them', async () => {
    await signInPartner();
    renderApp('/partner/approvals');
    const row = within(await screen.findByRole('row', { name: /「Tour」/ }));
    expect(row.getByText('承認待ち')).toBeTruthy();
    expect(row.getByText('Ichiro Suzuki')).toBeTruthy();
    expect(
      within(await screen.findByRole('row', { name: /2人での承認をやめる/ })).getByText('取り下げ'),
    ).toBeTruthy();
    expect(await screen.findByText('2件が承認待ち')).toBeTruthy();
  });

  it('is filtered by states, in the address', async () => {
    await signInPartner();
    const { user } = renderApp('/partner/approvals');
    await screen.findByRole('row', { name: /「Tour」/ });
    await user.click(screen.getByRole('button', { name: '承認済み' }));
    await waitFor(() => expect(address()).toBe('/partner/approvals?state=approved'));
    await waitFor(() =>
      expect(asked.some(({ searchParams }) => searchParams.get('state') === 'approved')).toBe(true),
    );
  });

  it('says where it can be turned on', async () => {
    server.use(http.get(base, () => HttpResponse.json({ ...onePage(0), approvals: [] })));
    await signInPartner();
    renderApp('/partner/approvals');
    expect(await screen.findByRole('link', { name: '配信設定へ' })).toBeTruthy();
  });
});

describe('a request', () => {
  it('is approved after its change and its effect were shown', async () => {
    const { user } = await openDetail();
    expect(await screen.findByText('全員、Sales（一般）')).toBeTruthy();
    expect(screen.getByText('メール')).toBeTruthy();
    expect(screen.getByText('30人')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: '承認する' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'この変更を承認しますか？' }));
    expect(dialog.getByText('30人')).toBeTruthy();
    await user.type(dialog.getByRole('textbox'), 'よいと思います');
    await user.click(dialog.getByRole('button', { name: '承認する' }));
    await screen.findByText('承認しました。変更が確定しました。');
    expect(decisions).toEqual([['approve', { comment: 'よいと思います' }]]);
    await screen.findByText('Hanakoさんが承認し、変更が確定しました。');
    expect(screen.queryByRole('button', { name: '承認する' })).toBeNull();
  });

  it.each([
    [
      'groups',
      { group_ids: [3], notify_email: false, notify_push: false },
      ['試験グループ「Sales（一般）」の 50%（手動で開始）', '報告 20台以上で失敗が 5% に達したら自動停止'],
    ],
    ['file', { file_name: 'tour.uap', file_size: 7 }, ['10% → ']],
    ['reservation', { update_reservation_at: '2026-11-24T00:00:00Z' }, ['100%（前の段階の 1日後）']],
    ['restore', { version: 1 }, ['10% → ']],
  ])('tells the stages of %s in words', async (what, body, texts) => {
    const stages = [{ percent: 10 }, { percent: 50, group_ids: [3] }, { percent: 100, after: 'P1D' }];
    shown = approval(8, {
      what,
      body: { ...body, rollout: { stages, halt: { failure_percent: 5, min_reports: 20 } } },
    });
    await signInPartner();
    renderApp('/partner/approvals/detail/?id=8&pn=Sakura');
    const said = await screen.findByText(/10% → /);
    for (const text of texts) await waitFor(() => expect(said.textContent).toContain(text));
  });

  it.each([
    ['settings', { approval_required: false }, null, '承認すると、すぐに反映されます。'],
    [
      'reservation',
      { update_reservation_at: '2026-11-29T00:00:00Z' },
      { gains, loses, changes, bytes },
      '承認すると、指定の日時に合わせて次の影響で反映されます。',
    ],
    [
      'groups',
      { group_ids: [3] },
      { gains, loses, changes, bytes },
      '承認すると、次の影響ですぐに反映されます。',
    ],
  ])('says before it is approved how it takes effect: %s', async (what, body, preview, words) => {
    shown = approval(8, { what, body, preview });
    await signInPartner();
    const { user } = renderApp('/partner/approvals/detail/?id=8&pn=Sakura');
    await user.click(await screen.findByRole('button', { name: '承認する' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'この変更を承認しますか？' }));
    expect(dialog.getByText(words)).toBeTruthy();
    expect(dialog.queryByText('30人') === null).toBe(preview === null);
  });

  it('tells that stages end', async () => {
    shown = approval(8, {
      body: { group_ids: [3], notify_email: false, notify_push: false, rollout: null },
    });
    await openDetail();
    expect(await screen.findByText('全員にすぐ配信する')).toBeTruthy();
  });

  it('is declined with a word, and not without', async () => {
    const { user } = await openDetail();
    await user.click(screen.getByRole('button', { name: '却下する' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'この変更を却下しますか？' }));
    const decline = dialog.getByRole('button', { name: '却下する' });
    expect(decline.hasAttribute('disabled')).toBe(true);
    await user.type(dialog.getByRole('textbox'), 'まだ早い');
    await user.click(decline);
    await screen.findByText('却下しました。');
    expect(decisions).toEqual([['decline', { comment: 'まだ早い' }]]);
  });

  it('is not approved by who asked, who can take it back', async () => {
    shown = approval(8, { by: { id: 1, name: 'Hanako' } });
    const { user } = await openDetail();
    await screen.findByText('あなたの依頼です');
    expect(screen.queryByRole('button', { name: '承認する' })).toBeNull();
    await user.click(screen.getByRole('button', { name: '取り下げる' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'この依頼を取り下げますか？' }));
    await user.type(dialog.getByRole('textbox'), '間違えた');
    await user.click(dialog.getByRole('button', { name: '取り下げる' }));
    await screen.findByText('依頼を取り下げました。');
    expect(decisions).toEqual([['decline', { comment: '間違えた' }]]);
  });

  it('that has another effect by now says so, and that nothing has changed', async () => {
    server.use(
      http.post(`${base}/8/approve`, () => {
        shown = approval(8, { state: 'stale', decided_at: '2026-11-22T00:00:00Z' });
        return failure('E40034', 'ステータスが不正です。');
      }),
    );
    const { user } = await openDetail();
    await user.click(screen.getByRole('button', { name: '承認する' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: '承認する' }));
    await screen.findByText(/すでに決まっているか、状況が変わっています/);
    await screen.findByText(/影響が同じではなくなったため、無効になりました/);
  });

  it.each([
    ['file', { deliver_reservation_at: '2026-12-01T00:00:00Z', version_note: '地図を直した' }, /2026/],
    ['reservation', { update_reservation_at: '2026-12-01T00:00:00Z' }, /2026/],
    ['restore', { version: 3 }, '3'],
    ['rollout', { action: 'advance', stage: 2 }, '次の段階へ進める（段階 2）'],
  ])('says what is to change: %s', async (what, body, said) => {
    shown = approval(8, { what, body });
    await signInPartner();
    renderApp('/partner/approvals/detail/?id=8&pn=Sakura');
    const section = within(await screen.findByRole('region', { name: '変更内容' }));
    expect((await section.findAllByText(said)).length).toBeGreaterThan(0);
  });

  it('that does not exist says so', async () => {
    server.use(http.get(`${base}/8`, () => failure('E40401', '対象が見つかりません。')));
    await signInPartner();
    renderApp('/partner/approvals/detail/?id=8&pn=Sakura');
    await screen.findByText('対象が見つかりません。');
  });
});
