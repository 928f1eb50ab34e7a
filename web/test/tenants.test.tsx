import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { licenceStateOf } from '../src/components/licence-end.tsx';
import { address, renderApp } from './render-app.tsx';
import { failure, tenant as partner, server, tenantDetail } from './server.ts';
import { signInAdmin as signIn } from './sign-in.ts';

const paged = { current_page: 1, total_page: 1, total_count: 1 };

/** Answers the partner list and keeps what was asked. */
function answerPartners(): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get('*/v1/admin/partners', ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json({ ...paged, partners: [partner] });
    }),
  );
  return asked;
}

describe('the partner list', () => {
  it('asks for what the address says and passes over what it cannot know', async () => {
    const asked = answerPartners();
    await signIn();
    renderApp(
      '/admin/partners?page=2&orderKey=licenseExpiredOn&order=asc&code=S&contractRank=standard&licenseType=boat' +
        '&licenseExpiredOnEnd=2027-01-01T00:00:00Z',
    );
    await screen.findByRole('rowheader', { name: /^Sakura/ });
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({
      page: '2',
      per_page: '10',
      order_key: 'license_expired_on',
      order: 'asc',
      code: 'S',
      contract_rank: 'standard',
      license_expired_on_end: '2027-01-01T00:00:00Z',
    });
    const header = screen.getByRole('columnheader', { name: '契約期限' });
    expect(header.getAttribute('aria-sort')).toBe('ascending');
  });

  it('offers every filter and searches with them', async () => {
    const asked = answerPartners();
    await signIn();
    const { user } = renderApp('/admin/partners');
    await screen.findByRole('rowheader', { name: /^Sakura/ });
    await user.click(screen.getByRole('button', { name: '検索条件' }));
    const form = within(await screen.findByRole('search', { name: '検索条件' }));
    await user.type(form.getByLabelText('企業名'), 'saku');
    await user.selectOptions(form.getByLabelText('契約プラン'), 'standard');
    await user.selectOptions(form.getByLabelText('ライセンス種別'), 'device');
    for (const label of [
      '契約期限（から）',
      '契約期限（まで）',
      '不達の日時（から）',
      '不達の日時（まで）',
    ]) {
      expect(form.getByLabelText(new RegExp(`^${label}`))).toHaveProperty('type', 'datetime-local');
    }
    await user.click(form.getByRole('button', { name: '検索' }));
    await waitFor(() => expect(address()).toContain('contractRank=standard'));
    await waitFor(() => expect(asked.at(-1)?.get('license_type')).toBe('device'));
    expect(asked.at(-1)?.get('name')).toBe('saku');
    expect(screen.getByRole('button', { name: '条件「契約プラン: スタンダード」を外す' })).toBeTruthy();
  });

  it('marks a licence that is over, and leaves the unit out for who has but one', async () => {
    answerPartners();
    await signIn(true);
    renderApp('/admin/partners');
    const row = (await screen.findByRole('rowheader', { name: /^Sakura/ })).closest('tr');
    expect(row?.textContent).toContain('期限切れ');
    expect(row?.textContent).toContain('1,200');
    expect(row?.textContent).not.toContain('East');
  });

  it('tells why it could not be loaded, and tries again', async () => {
    server.use(
      http.get('*/v1/admin/partners', () => failure('E50001', '内部エラーが発生しました。'), { once: true }),
    );
    await signIn();
    const { user } = renderApp('/admin/partners');
    expect(await screen.findByText('内部エラーが発生しました。')).toBeTruthy();
    expect(screen.getByText(/request-1/)).toBeTruthy();
    answerPartners();
    await user.click(screen.getByRole('button', { name: '再試行' }));
    await screen.findByRole('rowheader', { name: /^Sakura/ });
  });

  it('leads to the details of a partner', async () => {
    answerPartners();
    server.use(http.get('*/v1/admin/partners/2', () => HttpResponse.json(tenantDetail)));
    await signIn();
    const { user } = renderApp('/admin/partners');
    await user.click(await screen.findByRole('link', { name: 'Sakura' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Sakura' })).toBeTruthy();
    expect(address()).toBe('/admin/partner/menu/?id=2&pn=Sakura');
    expect(screen.getByText('ユーザーあたりの端末数').nextElementSibling?.textContent).toBe('無制限');
    expect(screen.getByText('{"a":1}')).toBeTruthy();
  });

  it('says so when the partner belongs to another unit', async () => {
    server.use(http.get('*/v1/admin/partners/3', () => failure('E40305', 'この企業は操作できません。')));
    await signIn(true);
    renderApp('/admin/partner/menu/?id=3');
    expect(await screen.findByText('この企業は操作できません。')).toBeTruthy();
  });
});

describe('the operation log', () => {
  const entry = (id: number, more: object) => ({
    id: String(id),
    at: '2026-11-21T00:00:00Z',
    who: { kind: 'admin', id: 1, name: 'Root', login: 'admin@example.com' },
    role: 127,
    address: '192.0.2.1',
    agent: 'Firefox',
    operation: 'updatePartner',
    text: '企業を変更しました',
    code: null,
    ...more,
  });

  it('of one company is reached from its page, and has what administrators did with it beside', async () => {
    const asked: string[] = [];
    const answerLog = (path: string, ...entries: object[]) =>
      server.use(
        http.get(path, ({ request }) => {
          asked.push(new URL(request.url).pathname + new URL(request.url).search);
          return HttpResponse.json({ operation_logs: entries, next: null });
        }),
      );
    const who = { kind: 'user', id: 5, name: 'Hanako', login: 'hanako@example.com' };
    const target = { kind: 'group', id: 3, name: 'Sales' };
    answerLog(
      '*/v1/partner/partners/2/operation_logs',
      entry(1, { who, target, text: 'グループを作成しました' }),
    );
    answerLog('*/v1/admin/operation_logs', entry(2, { target: { kind: 'partner', id: 2, name: 'Sakura' } }));
    server.use(
      http.get('*/v1/admin/partners/2', () => HttpResponse.json(tenantDetail)),
      http.get('*/v1/partner/partners/2/summary', () => failure('E40301', '権限がありません。')),
    );
    await signIn();
    const { user } = renderApp('/admin/partner/menu/?id=2&pn=Sakura');
    await user.click(await screen.findByRole('link', { name: /^操作ログ ?誰がいつ/ }));
    const people = within(await screen.findByRole('table', { name: '操作ログ' }));
    expect(await people.findByText('グループを作成しました')).toBeTruthy();
    // Administrators have no page of a group.
    expect(people.queryByRole('link', { name: 'Sales' })).toBeNull();
    const administrators = within(await screen.findByRole('table', { name: '運営による操作' }));
    expect(await administrators.findByText('企業を変更しました')).toBeTruthy();
    expect(address()).toBe('/admin/partners/operation-logs/?id=2&pn=Sakura');
    expect(asked).toContain('/v1/admin/operation_logs?target_kind=partner&target_id=2&per_page=10');
  });

  it('leads to the companies and units that its rows name, unless they are gone', async () => {
    server.use(
      http.get('*/v1/admin/operation_logs', () =>
        HttpResponse.json({
          operation_logs: [
            entry(1, { target: { kind: 'partner', id: 2, name: 'Sakura' } }),
            entry(2, { target: { kind: 'unit', id: 4, name: 'East' }, operation: 'createUnit' }),
            entry(3, { target: { kind: 'unit', id: 5, name: 'West' }, operation: 'deleteUnit' }),
            entry(4, {
              target: { kind: 'unit', id: 6, name: 'South' },
              operation: 'deleteUnit',
              code: 'E40031',
            }),
          ],
          next: null,
        }),
      ),
    );
    await signIn();
    renderApp('/admin/operation-logs');
    const hrefOf = (name: string) => screen.queryByRole('link', { name })?.getAttribute('href');
    await screen.findByRole('link', { name: 'Sakura' });
    expect(['Sakura', 'East', 'West', 'South'].map(hrefOf)).toEqual([
      '/admin/partner/menu/?id=2&pn=Sakura',
      '/admin/outsourcing/detail/?id=4&pn=East',
      undefined,
      '/admin/outsourcing/detail/?id=6&pn=South',
    ]);
  });
});

describe('the state of a licence', () => {
  const now = new Date('2026-11-21T09:00:00Z');
  it.each([
    [null, 'running'],
    ['2027-11-21T09:00:00Z', 'running'],
    ['2026-12-20T09:00:00Z', 'endsSoon'],
    // It lasts one day longer than its date.
    ['2026-11-20T10:00:00Z', 'endsSoon'],
    ['2026-11-20T09:00:00Z', 'over'],
  ])('that ends %s is %s', (end, state) => {
    expect(licenceStateOf(end, now)).toBe(state);
  });
});
