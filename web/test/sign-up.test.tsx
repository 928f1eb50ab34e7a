import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderApp } from './render-app.tsx';
import { failure, server } from './server.ts';

/** The pages on which companies sign up. */

const agreement = { name: /利用規約に同意する/ };
const state = 'gAbCdEf1234';
const claims = btoa(JSON.stringify({ email: 'hanako@example.com' }));

beforeEach(() => {
  server.use(http.get('*/v1/oauth2/providers', () => HttpResponse.json({ providers: ['google'] })));
});

/** Back from the provider, which has proved the address. */
function comeBack() {
  localStorage.setItem('authState', state);
  const told = { state, access_token: 'a', id_token: `x.${claims}.y`, expiry: '60' };
  return renderApp(`/signup#${new URLSearchParams(told).toString()}`);
}

async function fillIn(user: UserEvent): Promise<void> {
  for (const [name, value] of [
    [/^姓/, '山田'],
    [/^名/, '花子'],
    [/^会社名/, '山田商店'],
    [/^電話番号/, '03-1234-5678'],
  ] as const) {
    await user.type(screen.getByRole('textbox', { name }), value);
  }
  await user.click(screen.getByRole('radio', { name: '情報収集' }));
  await user.click(screen.getByRole('checkbox', agreement));
}

async function send(user: UserEvent): Promise<void> {
  await user.click(screen.getByRole('button', { name: '確認へ進む' }));
  await user.click(await screen.findByRole('button', { name: '申し込む' }));
}

describe('The way to a provider', () => {
  it('keeps for which unit and application the company signs up', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockReturnValue();
    const search = '?outsourcing_id=3&app_id=7&inherit_parent_expiry=true';
    const { user } = renderApp(`/signup${search}`);
    await user.click(await screen.findByRole('button', { name: 'Googleで申し込む' }));
    const address = String(assign.mock.lastCall?.[0]);
    const back = new URL(address, 'http://localhost').searchParams.get('redirect_url') ?? '';
    expect(new URL(back).search).toBe(search);
    assign.mockRestore();
  });
});

describe('The form of a sign-up', () => {
  it('says at the box of the terms that it has to be ticked, until it is', async () => {
    const { user } = renderApp('/trial');
    const box = await screen.findByRole('checkbox', agreement);
    expect(box.getAttribute('aria-required')).toBe('true');
    expect(box.getAttribute('aria-invalid')).toBeNull();
    expect(box.getAttribute('aria-describedby')).toBeNull();

    await user.click(screen.getByRole('button', { name: '確認へ進む' }));
    await screen.findByRole('alert');
    expect(box.getAttribute('aria-invalid')).toBe('true');
    const text = document.getElementById(box.getAttribute('aria-describedby') ?? '');
    expect(text?.textContent).toMatch(/同意/);

    await user.click(box);
    await expect.poll(() => box.getAttribute('aria-invalid')).toBeNull();
    expect(text?.isConnected).toBe(false);
  });

  it('keeps the address that a provider has proved, whatever was typed before', async () => {
    sessionStorage.setItem(
      'portal.flow.sign-up-free',
      JSON.stringify({ values: { email: 'other@example.com', companyName: '下書き' }, dirty: true }),
    );
    comeBack();
    const email = await screen.findByRole<HTMLInputElement>('textbox', { name: /^メールアドレス/ });
    await expect.poll(() => email.value).toBe('hanako@example.com');
    expect(email.readOnly).toBe(true);
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^会社名/ }).value).toBe('下書き');
    expect(screen.queryByRole('button', { name: 'Googleで申し込む' })).toBeNull();
  });

  it.each([
    ['E40301', /メールアドレスが確認されていない/],
    ['E40312', /すでに登録されています/],
    ['E40102', /外部アカウントを確認できませんでした/],
  ] as const)(
    'tells what %s means for an account at a provider, and goes on without it',
    async (code, text) => {
      const sent: unknown[] = [];
      server.use(
        http.post('*/v2/signup/social', async ({ request }) => {
          sent.push(await request.json());
          return failure(code, '');
        }),
        http.post('*/v2/signup', async ({ request }) => {
          sent.push(await request.json());
          return HttpResponse.json({ id: 1, partner_code: '12345678' }, { status: 201 });
        }),
      );
      const { user } = comeBack();
      await screen.findByText(/外部アカウントを確認しました/);
      await fillIn(user);
      await send(user);
      expect((await screen.findByRole('alert')).textContent).toMatch(text);

      await user.click(screen.getByRole('button', { name: '外部アカウントを使わずに申し込む' }));
      await screen.findByRole('button', { name: 'Googleで申し込む' });
      expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^メールアドレス/ }).readOnly).toBe(false);
      await send(user);
      await screen.findByText(/企業IDは12345678です/);
      expect(sent).toEqual([
        expect.objectContaining({
          access_token: 'a',
          identity_provider: 'google',
          email: 'hanako@example.com',
        }),
        expect.not.objectContaining({ access_token: 'a' }),
      ]);
    },
  );
});
