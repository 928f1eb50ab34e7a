import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { renderApp } from './render-app.tsx';
import { failure, partnerReply, server } from './server.ts';

/** The login of people who come back from an identity provider. */

const state = 'gAbCdEf1234';
const comeBack = (fragment: Record<string, string>) => {
  localStorage.setItem('authState', state);
  return renderApp(`/partner/login#${new URLSearchParams({ state, ...fragment }).toString()}`);
};
const tokens = { access_token: 'a', id_token: 'i', expiry: '60' };

function answer(reply: () => Response): unknown[] {
  const sent: unknown[] = [];
  server.use(
    http.post('*/v1/oauth2/token/validate', async ({ request }) => {
      sent.push(await request.json());
      return reply();
    }),
  );
  return sent;
}

describe('The login', () => {
  it('offers the providers that the installation has', async () => {
    server.use(http.get('*/v1/oauth2/providers', () => HttpResponse.json({ providers: ['google'] })));
    renderApp('/partner/login');
    await screen.findByRole('button', { name: 'Googleでログイン' });
    expect(screen.queryByRole('button', { name: 'Microsoftでログイン' })).toBeNull();
  });

  it('signs in who comes back with the tokens, which do not stay in the address', async () => {
    const sent = answer(() => HttpResponse.json(partnerReply));
    comeBack(tokens);
    await screen.findByRole('heading', { level: 1, name: 'ホーム' });
    expect(sent).toEqual([{ access_token: 'a', id_token: 'i', expiry: 60 }]);
    expect(window.location.hash).toBe('');
  });

  it('tells whose account is not known here', async () => {
    answer(() => failure('E40101', ''));
    comeBack(tokens);
    await screen.findByText(/このアカウントは登録されていません/);
  });

  it('drops the tokens of another browser', async () => {
    const sent = answer(() => HttpResponse.json(partnerReply));
    comeBack({ ...tokens, state: 'gZZZZZZZZZZ' });
    await screen.findByText(/外部アカウントを確認できませんでした/);
    expect(sent).toEqual([]);
  });
});
