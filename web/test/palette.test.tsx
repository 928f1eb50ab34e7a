import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { address, type RenderedApp, renderApp } from './render-app.tsx';
import { application, failure, file, group, notification, onePage, server, tenant, user } from './server.ts';
import { signInAdmin, signInPartner } from './sign-in.ts';

const base = '*/v1/partner/partners/7';

/** What the lists were asked for, in this order. */
let asked: string[];

const companyAdmin = (id: number, name: string, email: string | null) => ({
  id,
  name,
  email,
  login_user_id: `login${id}`,
  create_user_flag: false,
  two_factor: false,
  last_login_at: null,
  created_at: '2026-11-21T00:00:00Z',
  updated_at: '2026-11-21T00:00:00Z',
});

beforeEach(async () => {
  asked = [];
  await signInPartner();
  const answers = (name: string, rows: readonly { name?: string; message?: string }[]) =>
    http.get(`${base}/${name}`, ({ request }) => {
      const { searchParams } = new URL(request.url);
      const q = searchParams.get('q');
      if (q === null) return;
      asked.push(`${name} ${q} ${searchParams.get('per_page')}`);
      const found = rows.filter((row) => JSON.stringify(row).toLowerCase().includes(q.toLowerCase()));
      return HttpResponse.json({ ...onePage(found.length), [name]: found });
    });
  server.use(
    answers('files', [file(1, 'Tour')]),
    answers('users', [user(12, 'Taro Tour')]),
    answers('groups', [group(3, 'Tour guides')]),
    answers('push_notifications', [
      notification(21, { title: 'Bus', message: 'The tour begins' }),
      notification(22, { title: null, message: 'Tour over' }),
    ]),
    answers('admins', [
      companyAdmin(13, 'Tourism Abe', 'abe@example.com'),
      companyAdmin(14, 'Tourist', null),
    ]),
    http.get(`${base}/users/12`, () => HttpResponse.json(user(12, 'Taro Tour'))),
    http.get(`${base}/users/12/files`, () => HttpResponse.json({ ...onePage(0), files: [] })),
  );
});

const field = () => screen.findByRole('combobox', { name: '画面、操作、名前で検索' });
const list = () => screen.getByRole('listbox', { name: '候補' });
const options = () =>
  within(list())
    .queryAllByRole('option')
    .map(({ textContent }) => textContent);
const chosen = () => within(list()).getByRole('option', { selected: true });

async function open({ user: person }: RenderedApp): Promise<HTMLElement> {
  await screen.findByRole('heading', { level: 1 });
  await person.keyboard('{Control>}k{/Control}');
  return field();
}

describe('the palette', () => {
  it('opens with Ctrl K, with ⌘ K and with its button, and gives the focus back', async () => {
    const app = renderApp('/partner/groups');
    const input = await open(app);
    expect(document.activeElement).toBe(input);
    await app.user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('combobox', { name: /画面、操作/ })).toBeNull());
    await app.user.keyboard('{Meta>}k{/Meta}');
    expect(await field()).toBeTruthy();
    await app.user.keyboard('{Escape}');
    const button = screen.getByRole('button', { name: /^検索と移動/ });
    await app.user.click(button);
    expect(await field()).toBeTruthy();
    await app.user.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(button));
  });

  it('finds screens, actions and records by name, and is worked by keys alone', async () => {
    const app = renderApp('/partner/groups');
    const input = await open(app);
    await app.user.keyboard('tour');
    expect(await screen.findByText('Taro Tour')).toBeTruthy();
    await waitFor(() =>
      expect(options()).toEqual([
        'Tourtour.uap',
        'Taro Touruser12@example.com',
        'Tour guides',
        'BusThe tour begins',
        'Tour over',
        'Tourism Abeabe@example.com',
        'Touristlogin14',
      ]),
    );
    expect(chosen().textContent).toContain('tour.uap');
    expect(input.getAttribute('aria-activedescendant')).toBe(chosen().id);
    await app.user.keyboard('{ArrowUp}');
    expect(chosen().textContent).toBe('Touristlogin14');
    await app.user.keyboard('{ArrowDown}{ArrowDown}');
    expect(chosen().textContent).toContain('Taro Tour');
    expect(input.getAttribute('aria-activedescendant')).toBe(chosen().id);
    await app.user.keyboard('{Enter}');
    await waitFor(() => expect(address()).toBe('/partner/users/detail/?id=12&pn=Sakura'));
    expect(screen.queryByRole('combobox', { name: /画面、操作/ })).toBeNull();
    // Asked once the typing was over, each list once.
    expect(asked.sort()).toEqual([
      'admins tour 5',
      'files tour 5',
      'groups tour 5',
      'push_notifications tour 5',
      'users tour 5',
    ]);
  });

  it.each([
    [/^Bus/, '/partner/push-notifications/detail/?id=21&pn=Sakura'],
    [/^Tourism Abe/, '/partner/admins/edit/?id=13&pn=Sakura'],
  ])('leads to what it has found: %s', async (name, page) => {
    server.use(
      http.get(`${base}/push_notifications/21`, () =>
        HttpResponse.json(notification(21, { title: 'Bus', message: 'The tour begins' })),
      ),
      http.get(`${base}/admins/13`, () =>
        HttpResponse.json(companyAdmin(13, 'Tourism Abe', 'abe@example.com')),
      ),
    );
    const app = renderApp('/partner/groups');
    await open(app);
    await app.user.keyboard('tour');
    await app.user.click(await screen.findByRole('option', { name }));
    await waitFor(() => expect(address()).toBe(page));
    await screen.findByRole('heading', { level: 1 });
  });

  it('leads from the form of one record to that of another, which has nothing of what was typed', async () => {
    server.use(
      http.get(`${base}/admins/:id`, ({ params }) =>
        HttpResponse.json(
          params['id'] === '13'
            ? companyAdmin(13, 'Tourism Abe', 'abe@example.com')
            : companyAdmin(14, 'Tourist', null),
        ),
      ),
    );
    const app = renderApp('/partner/admins/edit/?id=14&pn=Sakura');
    const showsName = (name: string) =>
      waitFor(() => expect(screen.getByRole('textbox', { name: /^名前/ })).toHaveProperty('value', name));
    const goTo = async (name: RegExp) => {
      await open(app);
      await app.user.keyboard('tour');
      await app.user.click(await screen.findByRole('option', { name }));
    };
    await showsName('Tourist');
    await goTo(/^Tourism Abe/);
    await showsName('Tourism Abe');
    expect(document.activeElement?.id).toBe('main');
    await app.user.type(screen.getByRole('textbox', { name: /^名前/ }), ' typed');
    await goTo(/^Tourist/);
    const question = { name: '入力内容を破棄しますか？' };
    await app.user.click(
      within(await screen.findByRole('dialog', question)).getByRole('button', { name: 'このページに留まる' }),
    );
    await showsName('Tourism Abe typed');
    await goTo(/^Tourist/);
    await app.user.click(await screen.findByRole('button', { name: '破棄して移動' }));
    await waitFor(() => expect(address()).toBe('/partner/admins/edit/?id=14&pn=Sakura'));
    await showsName('Tourist');
    await goTo(/^Tourism Abe/);
    await showsName('Tourism Abe');
  });

  it('offers what was chosen before, to the same person', async () => {
    const app = renderApp('/partner/groups');
    await open(app);
    await app.user.keyboard('tour');
    await app.user.click(await screen.findByRole('option', { name: /Taro Tour/ }));
    await waitFor(() => expect(address()).toContain('/partner/users/detail/'));
    await open(app);
    const recent = screen.getByRole('group', { name: '最近選んだもの' });
    expect(within(recent).getByRole('option').textContent).toContain('Taro Tour');
    expect(chosen().textContent).toContain('Taro Tour');
  });

  it('does what needs no screen', async () => {
    const app = renderApp('/partner/groups');
    await open(app);
    await app.user.keyboard('english{Enter}');
    expect(await screen.findByRole('heading', { level: 1, name: 'Groups' })).toBeTruthy();
  });

  it('says that nothing fits', async () => {
    const app = renderApp('/partner/groups');
    await open(app);
    await app.user.keyboard('zzz');
    expect(await screen.findByText('「zzz」に一致するものはありません。')).toBeTruthy();
    expect(options()).toEqual([]);
    await app.user.keyboard('{ArrowDown}{Enter}');
    expect(address()).toBe('/partner/groups');
  });

  it('says that the search failed, and asks again', async () => {
    let fails = true;
    server.use(
      http.get(`${base}/users`, () =>
        fails
          ? failure('E50001', '内部エラーが発生しました。')
          : HttpResponse.json({ ...onePage(1), users: [user(12, 'Taro Tour')] }),
      ),
    );
    const app = renderApp('/partner/groups');
    await open(app);
    await app.user.keyboard('tour');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('内部エラーが発生しました。');
    // What the other lists found is there.
    expect(screen.getByRole('option', { name: /Tour guides/ })).toBeTruthy();
    fails = false;
    await app.user.click(within(alert).getByRole('button', { name: '再試行' }));
    expect(await screen.findByRole('option', { name: /Taro Tour/ })).toBeTruthy();
  });

  it('offers a push sender what they may open, and asks for no more', async () => {
    await signInPartner({ role: 1 });
    const app = renderApp('/partner/users');
    await open(app);
    const offered = options();
    expect(offered).toContain('ユーザー');
    for (const hidden of ['ファイル', '利用状況', 'ユーザーを作成', 'ファイルを登録'])
      expect(offered).not.toContain(hidden);
    await app.user.keyboard('tour');
    expect(await screen.findByRole('option', { name: /Taro Tour/ })).toBeTruthy();
    expect(asked.sort()).toEqual(['groups tour 5', 'push_notifications tour 5', 'users tour 5']);
  });

  it('offers no notifications where the contract has none', async () => {
    await signInPartner({ contractRank: 'entry' });
    const app = renderApp('/partner/groups');
    await open(app);
    expect(options()).not.toContain('プッシュ通知');
    await app.user.keyboard('tour');
    await screen.findByRole('option', { name: /Tourism Abe/ });
    expect(asked).not.toContain('push_notifications tour 5');
  });

  it('leads administrators to the application that it has found, and those who may not see any to none', async () => {
    const applications = '*/v1/admin/applications';
    server.use(
      http.get(applications, () => {
        asked.push('applications');
        return HttpResponse.json({ ...onePage(1), applications: [application] });
      }),
      http.get(`${applications}/4`, () => HttpResponse.json(application)),
      http.get('*/v1/admin/partners', () => HttpResponse.json({ ...onePage(0), partners: [] })),
      http.get('*/v1/admin/outsourcing/units', () => HttpResponse.json({ ...onePage(0), units: [] })),
      http.get('*/v1/admin/outsourcing/units/1/admins', () => HttpResponse.json({ admins: [] })),
    );
    // Of a unit: who reads alone, and who administers.
    await signInAdmin(true, 1);
    let app = renderApp('/admin/menu');
    await open(app);
    await app.user.keyboard('viewer');
    await screen.findByText('「viewer」に一致するものはありません。');
    expect(asked).toEqual([]);
    await signInAdmin(true, 63);
    app = app.reload();
    await open(app);
    await app.user.keyboard('viewer');
    await app.user.click(await screen.findByRole('option', { name: /^Viewer/ }));
    await waitFor(() => expect(address()).toBe('/admin/applications/detail/?id=4'));
  });

  it('leads administrators to their screens, and to companies, units, applications and administrators', async () => {
    const known = { two_factor: false, last_login_at: null, created_at: '2026-11-21T00:00:00Z' };
    server.use(
      http.get('*/v1/admin/partners', ({ request }) => {
        const name = new URL(request.url).searchParams.get('q');
        const partner = { ...tenant, name: `${name} Travel` };
        return HttpResponse.json({ ...onePage(1), partners: [partner] });
      }),
      http.get('*/v1/admin/outsourcing/units', ({ request }) => {
        const name = new URL(request.url).searchParams.get('q');
        const unit = {
          unit_id: 3,
          unit_name: `${name} unit`,
          allocated_license: 0,
          consumed_license: 0,
          owner_partnerid: 0,
          can_force_distribute_app: false,
          partners: [],
          admins: [],
        };
        return HttpResponse.json({ ...onePage(1), units: [unit] });
      }),
      http.get('*/v1/admin/admins', ({ request }) => {
        const name = new URL(request.url).searchParams.get('q');
        const admin = { id: 4, name: `${name} Abe`, email: 'abe@example.com', role: 1, ...known };
        return HttpResponse.json({ ...onePage(1), admins: [admin] });
      }),
      http.get('*/v1/admin/applications', ({ request }) => {
        const query = new URL(request.url).searchParams;
        asked.push(`applications ${query.get('q')} ${query.get('per_page')}`);
        const found = { ...application, name: `${query.get('q')} viewer` };
        return HttpResponse.json({ ...onePage(1), applications: [found] });
      }),
    );
    await signInAdmin();
    const app = renderApp('/admin/menu');
    await open(app);
    expect(options()).toContain('企業');
    expect(options()).toContain('ユニットを作成');
    expect(options()).not.toContain('ファイルを登録');
    await app.user.keyboard('Sakura');
    expect(await screen.findByRole('option', { name: /Sakura unit/ })).toBeTruthy();
    expect(screen.getByRole('option', { name: /Sakura Abe.*abe@example.com/ })).toBeTruthy();
    const viewer = within(await screen.findByRole('group', { name: 'アプリケーション' }));
    expect(viewer.getByRole('option').textContent).toBe('Sakura viewerviewer.uap');
    expect(asked).toEqual(['applications Sakura 5']);
    await app.user.click(await screen.findByRole('option', { name: /Sakura Travel/ }));
    await waitFor(() => expect(address()).toBe('/admin/partner/menu/?id=2&pn=Sakura%20Travel'));
  });
});
