import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { openAccountMenu } from './account-menu.ts';
import { address, type RenderedApp, renderApp } from './render-app.tsx';
import { file, onePage, server } from './server.ts';
import { signInPartner } from './sign-in.ts';

const question = { name: '入力内容を破棄しますか？' };

beforeEach(async () => {
  await signInPartner();
});

/** Whether the browser would ask before the tab is closed. */
function asksToClose(): boolean {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
}

async function goToGroups({ user }: RenderedApp): Promise<void> {
  await user.click((await screen.findAllByRole('link', { name: 'グループ' }))[0] as HTMLElement);
}

async function staysWhenAsked(app: RenderedApp, path: string): Promise<void> {
  await goToGroups(app);
  const dialog = await screen.findByRole('dialog', question);
  await app.user.click(within(dialog).getByRole('button', { name: 'このページに留まる' }));
  expect(address()).toBe(path);
}

describe('leaving the password change', () => {
  const path = '/partner/password/update';
  const current = () => screen.findByLabelText(/^現在のパスワード/);

  it('asks once something is typed, in a link as in closing the tab', async () => {
    const app = renderApp(path);
    await current();
    expect(asksToClose()).toBe(false);
    await app.user.type(await current(), 'secret');
    expect(asksToClose()).toBe(true);
    await staysWhenAsked(app, path);
    expect(await current()).toHaveProperty('value', 'secret');
    await goToGroups(app);
    await app.user.click(await screen.findByRole('button', { name: '破棄して移動' }));
    await waitFor(() => expect(address()).toBe('/partner/groups'));
    await waitFor(() => expect(asksToClose()).toBe(false));
  });

  it('does not ask where nothing is typed', async () => {
    const app = renderApp(path);
    await current();
    await goToGroups(app);
    await waitFor(() => expect(address()).toBe('/partner/groups'));
  });
});

describe('leaving the groups of a file', () => {
  const path = '/partner/files/groups/?id=1';
  let sent: unknown;

  beforeEach(() => {
    sent = undefined;
    server.use(
      http.get('*/files/1', () => HttpResponse.json({ ...file(1, 'Tour'), signed_url: '/storage/x' })),
      http.get('*/files', () => HttpResponse.json({ ...onePage(0), files: [] })),
      http.get('*/groups', () => HttpResponse.json({ groups: [{ id: 3, name: 'Sales', role: 0 }] })),
      http.put('*/files/1/groups', async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({});
      }),
    );
  });

  it('asks when the choice was changed, and not when it was changed back', async () => {
    const app = renderApp(path);
    const box = await screen.findByRole('checkbox', { name: 'Sales（一般）' });
    await app.user.click(box);
    expect(asksToClose()).toBe(true);
    await staysWhenAsked(app, path);
    await app.user.click(box);
    expect(asksToClose()).toBe(false);
  });

  it('asks when a plan was typed or a notice chosen, and not when that was taken back', async () => {
    const app = renderApp(path);
    await app.user.click(await screen.findByRole('radio', { name: /^段階的に配信する/ }));
    expect(asksToClose()).toBe(true);
    const percent = screen.getByRole('textbox', { name: '段階 2 の割合（%）' });
    await app.user.clear(percent);
    await app.user.type(percent, '30');
    await staysWhenAsked(app, path);
    expect(screen.getByRole('textbox', { name: '段階 2 の割合（%）' })).toHaveProperty('value', '30');
    await app.user.clear(percent);
    await app.user.type(percent, '10');
    await app.user.click(screen.getByRole('radio', { name: /^全員にすぐ配信する/ }));
    expect(asksToClose()).toBe(false);
    const mail = screen.getByRole('checkbox', { name: /メールで通知する/ });
    await app.user.click(mail);
    expect(asksToClose()).toBe(true);
    await app.user.click(mail);
    expect(asksToClose()).toBe(false);
  });

  it('does not ask after it was saved', async () => {
    const { user } = renderApp(path);
    await user.click(await screen.findByRole('checkbox', { name: 'Sales（一般）' }));
    await user.click(screen.getByRole('radio', { name: /^段階的に配信する/ }));
    await user.click(screen.getByRole('checkbox', { name: /メールで通知する/ }));
    await user.click(screen.getByRole('button', { name: '設定を確認' }));
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: '設定する' }));
    await waitFor(() => expect(address()).toBe('/partner/files'));
    expect(sent).toMatchObject({ group_ids: [3] });
  });
});

describe('leaving a flow', () => {
  it('asks to close the tab too, and not on the way to its end', async () => {
    server.use(http.post('*/groups', () => HttpResponse.json({ id: 9 }, { status: 201 })));
    const { user } = renderApp('/partner/groups/create');
    await user.type(await screen.findByLabelText(/^グループ名/), 'Field');
    expect(asksToClose()).toBe(true);
    await user.click(screen.getByRole('button', { name: '確認へ進む' }));
    await user.click(await screen.findByRole('button', { name: '作成する' }));
    await screen.findByText('グループ「Field」を作成しました。');
    expect(asksToClose()).toBe(false);
  });
});

describe('logging out', () => {
  const logout = async (user: UserEvent) => {
    await openAccountMenu(user);
    await user.click(screen.getByRole('button', { name: 'ログアウト' }));
  };

  it('asks where something typed would be lost, and stays with it when told to', async () => {
    const { user } = renderApp('/partner/groups/create');
    await user.type(await screen.findByLabelText(/^グループ名/), 'Field');
    await logout(user);
    await user.click(
      within(await screen.findByRole('dialog', question)).getByRole('button', { name: 'このページに留まる' }),
    );
    expect(screen.getByLabelText(/^グループ名/)).toHaveProperty('value', 'Field');
    await logout(user);
    await user.click(await screen.findByRole('button', { name: '破棄してログアウト' }));
    await screen.findByRole('heading', { level: 1, name: 'ログイン' });
    expect(sessionStorage.length).toBe(0);
  });

  it('does not ask where nothing is typed', async () => {
    const { user } = renderApp('/partner/groups/create');
    await screen.findByLabelText(/^グループ名/);
    await logout(user);
    await screen.findByRole('heading', { level: 1, name: 'ログイン' });
  });
});

describe('leaving what is soon typed again', () => {
  it('does not ask', async () => {
    const app = renderApp('/partner/operation-logs');
    const [start] = await screen.findAllByLabelText(/開始/);
    await app.user.type(start as HTMLElement, '2026-11-01T00:00');
    await goToGroups(app);
    await waitFor(() => expect(address()).toBe('/partner/groups'));
  });
});
