import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderApp } from './render-app.tsx';
import { failure, onePage, server } from './server.ts';
import { signInPartner } from './sign-in.ts';

const path = '*/v1/partner/partners/7/delivery_settings';
const label = /^保持するバージョンの数/;

let kept = 10;
let on = false;
let admins = 2;
let saved: object[] = [];

beforeEach(() => {
  kept = 10;
  on = false;
  admins = 2;
  saved = [];
  server.use(
    http.get('*/v1/partner/partners/7/admins', () => HttpResponse.json({ ...onePage(admins), admins: [] })),
    http.get(path, () => HttpResponse.json({ versions_kept: kept, approval_required: on })),
    http.put(path, async ({ request }) => {
      const body = (await request.json()) as { versions_kept: number };
      saved.push(body);
      kept = body.versions_kept;
      return HttpResponse.json({});
    }),
  );
});

async function open(typed: string) {
  await signInPartner();
  const { user } = renderApp('/partner/delivery_settings');
  const field = await screen.findByLabelText<HTMLInputElement>(label);
  await user.clear(field);
  if (typed !== '') await user.type(field, typed);
  await user.click(screen.getByRole('button', { name: '保存する' }));
  return { user, field };
}

describe('how many versions are kept', () => {
  it('is saved at once when it is more than before', async () => {
    const { field } = await open(' 12 ');
    await screen.findByText('保持するバージョンの数を12個にしました。');
    expect(saved).toEqual([{ versions_kept: 12 }]);
    await waitFor(() => expect(field.value).toBe('12'));
  });

  it('is asked about when it is less, since that costs bytes', async () => {
    const { user } = await open('3');
    const dialog = within(await screen.findByRole('dialog', { name: '保持するバージョンを減らしますか？' }));
    expect(dialog.getByText(/10個から3個になります/)).toBeTruthy();
    expect(saved).toEqual([]);
    await user.click(dialog.getByRole('button', { name: '減らす' }));
    await screen.findByText('保持するバージョンの数を3個にしました。');
    expect(saved).toEqual([{ versions_kept: 3 }]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it.each([
    ['', '入力してください。'],
    ['0', '値が範囲外です。'],
    ['51', '値が範囲外です。'],
    ['たくさん', '値が範囲外です。'],
  ])('is refused in the form: %j', async (typed, message) => {
    await open(typed);
    expect((await screen.findAllByText(new RegExp(message))).length).toBeGreaterThan(0);
    expect(saved).toEqual([]);
  });

  it('says at its field what the server refuses', async () => {
    server.use(
      http.put(path, () =>
        failure('E40002', '入力値が正しくありません。', [
          { field: 'versions_kept', message: '別の値です。' },
        ]),
      ),
    );
    await open('11');
    const alert = await screen.findByRole('alert');
    expect(within(alert).getByText('保持するバージョンの数: 別の値です。')).toBeTruthy();
  });

  it('is for administrators alone', async () => {
    await signInPartner({ role: 16 });
    renderApp('/partner/delivery_settings');
    await screen.findByRole('heading', { name: 'このページは利用できません' });
    expect(screen.queryByRole('link', { name: '配信設定' })).toBeNull();
  });
});

describe('approval by two people', () => {
  const openSettings = async () => {
    await signInPartner();
    return renderApp('/partner/delivery_settings');
  };

  it('is turned on after it was told what that means', async () => {
    server.use(
      http.put(path, async ({ request }) => {
        saved.push((await request.json()) as object);
        on = true;
        return HttpResponse.json({});
      }),
    );
    const { user } = await openSettings();
    await screen.findByText('配信の変更は、1人の管理者ですぐに反映できます。');
    await user.click(screen.getByRole('button', { name: '有効にする' }));
    const dialog = within(await screen.findByRole('dialog', { name: '2人での承認を有効にしますか？' }));
    await user.click(dialog.getByRole('button', { name: '有効にする' }));
    await screen.findByText('配信の変更には、ほかの管理者の承認が必要です。');
    expect(saved).toEqual([{ approval_required: true }]);
  });

  it('takes two administrators', async () => {
    admins = 1;
    await openSettings();
    await screen.findByText(/管理者が1人だけのため/);
    expect(screen.getByRole('button', { name: '有効にする' }).hasAttribute('disabled')).toBe(true);
    expect(screen.getByRole('link', { name: '管理者を追加' })).toBeTruthy();
  });

  it('is not turned off by one alone', async () => {
    on = true;
    server.use(http.put(path, () => HttpResponse.json({ approval_id: 9 }, { status: 202 })));
    const { user } = await openSettings();
    await user.click(await screen.findByRole('button', { name: 'やめる' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: '承認を依頼' }));
    await screen.findByText('承認を依頼しました。ほかの管理者が承認すると反映されます。');
    expect(screen.getByText('配信の変更には、ほかの管理者の承認が必要です。')).toBeTruthy();
  });
});
