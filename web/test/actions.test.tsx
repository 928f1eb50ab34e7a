import { onlineManager } from '@tanstack/react-query';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { address, type RenderedApp, renderApp } from './render-app.tsx';
import { failure, server } from './server.ts';
import { signInPartner } from './sign-in.ts';

beforeEach(async () => {
  await signInPartner();
});

afterEach(() => onlineManager.setOnline(true));

/** Both presses before anything that the first one started has come round. */
function pressTwice(button: HTMLElement): void {
  fireEvent.click(button);
  fireEvent.click(button);
}

async function toGroupConfirmation({ user }: RenderedApp): Promise<HTMLElement> {
  await user.type(await screen.findByLabelText(/^グループ名/), 'Field');
  await user.click(screen.getByRole('button', { name: '確認へ進む' }));
  return screen.findByRole('button', { name: '作成する' });
}

async function askToDelete({ user }: RenderedApp): Promise<HTMLElement> {
  await user.click(await screen.findByRole('button', { name: '削除: Sales' }));
  return screen.findByRole('dialog', { name: 'グループを削除しますか？' });
}

describe('an action that is under way', () => {
  it('is not begun again by a second press on a confirmation', async () => {
    let calls = 0;
    server.use(
      http.post('*/groups', () => {
        calls += 1;
        return calls === 1
          ? HttpResponse.json({ id: 9 }, { status: 201 })
          : failure('E40002', 'だめ', [{ field: 'name', message: 'すでに使用されています。' }]);
      }),
    );
    pressTwice(await toGroupConfirmation(renderApp('/partner/groups/create')));
    expect(await screen.findByText('グループ「Field」を作成しました。')).toBeTruthy();
    expect(address()).toBe('/partner/groups/complete');
    expect(calls).toBe(1);
  });

  it('is not begun again by a second press in a form', async () => {
    let calls = 0;
    server.use(
      http.put('*/partner/password', async () => {
        calls += 1;
        return HttpResponse.json({});
      }),
      http.post('*/validate_password', () => HttpResponse.json({ valid: true })),
    );
    const { user } = renderApp('/partner/password/update');
    await user.type(await screen.findByLabelText(/^現在のパスワード/), 'Passw0rd-1');
    await user.type(screen.getByLabelText(/^新しいパスワード必須/), 'Passw0rd-2');
    await user.type(screen.getByLabelText(/^新しいパスワード（確認）/), 'Passw0rd-2');
    pressTwice(screen.getByRole('button', { name: '変更する' }));
    await waitFor(() => expect(address()).toBe('/partner/password/complete'));
    expect(calls).toBe(1);
  });

  it('is not begun again by a second press in a dialog, which stays until the end', async () => {
    let calls = 0;
    let answer = () => {};
    server.use(
      http.delete('*/groups/3', async () => {
        calls += 1;
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return calls === 1 ? HttpResponse.json({}) : failure('E40401', '見つかりません。');
      }),
    );
    const dialog = await askToDelete(renderApp('/partner/groups'));
    pressTwice(within(dialog).getByRole('button', { name: '削除' }));
    const cancel = within(dialog).getByRole('button', { name: 'キャンセル' });
    await waitFor(() => expect(cancel).toHaveProperty('disabled', true));
    fireEvent(dialog, new Event('cancel', { cancelable: true }));
    fireEvent.click(dialog);
    expect(dialog.isConnected).toBe(true);
    await waitFor(() => expect(calls).toBe(1));
    answer();
    expect(await screen.findByText('1件のグループを削除しました。')).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(calls).toBe(1);
  });

  it('can be begun anew when it has failed', async () => {
    let calls = 0;
    server.use(
      http.delete('*/groups/3', () => {
        calls += 1;
        return calls === 1 ? failure('E40027', 'だめ') : HttpResponse.json({});
      }),
    );
    const app = renderApp('/partner/groups');
    await app.user.click(within(await askToDelete(app)).getByRole('button', { name: '削除' }));
    const modal = await screen.findByRole('dialog', { name: 'エラー' });
    await app.user.click(within(modal).getByRole('button', { name: '閉じる' }));
    await app.user.click(within(await askToDelete(app)).getByRole('button', { name: '削除' }));
    expect(await screen.findByText('1件のグループを削除しました。')).toBeTruthy();
  });
});

describe('without a network', () => {
  beforeEach(() => onlineManager.setOnline(false));

  it('a change fails at once and says why, and is not sent later', async () => {
    let calls = 0;
    server.use(
      http.post('*/groups', () => {
        calls += 1;
        return HttpResponse.error();
      }),
    );
    const app = renderApp('/partner/groups/create');
    await app.user.click(await toGroupConfirmation(app));
    expect(await screen.findByText('サーバーでエラーが発生しました。')).toBeTruthy();
    expect(address()).toBe('/partner/groups/create');
    onlineManager.setOnline(true);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(calls).toBe(1);
  });

  it('a list says that it could not be loaded', async () => {
    server.use(http.get('*/groups', () => HttpResponse.error()));
    renderApp('/partner/groups');
    expect(await screen.findByText('サーバーでエラーが発生しました。')).toBeTruthy();
  });
});
