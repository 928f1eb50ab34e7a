import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { changeLanguage } from '../src/lib/i18n.ts';
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

  it.each([
    ['E40101', '', /このアカウントは登録されていません/],
    ['E40102', '認証情報が無効です。', /外部アカウントを確認できませんでした/],
    ['E40301', 'この操作を行う権限がありません。', /ポータルを利用する権限がありません/],
    // In the words of the server.
    ['E40302', '契約期間が終了しています。', '契約期間が終了しています。'],
    ['E50301', '現在利用できません。', '現在利用できません。'],
  ])('tells what a refusal means: %s', async (code, message, told) => {
    answer(() => failure(code, message));
    comeBack(tokens);
    await screen.findByText(told);
    expect(screen.getAllByRole('alert')).toHaveLength(1);
  });

  it('tells that there were too many attempts', async () => {
    const message = 'しばらくしてから再度お試しください。';
    answer(() => HttpResponse.json({ code: 'E40001', message, errors: [] }, { status: 429 }));
    comeBack(tokens);
    await screen.findByText(message);
  });

  it('tells that a provider has sent no tokens', async () => {
    const sent = answer(() => HttpResponse.json(partnerReply));
    comeBack({ error: 'E40101' });
    await screen.findByText(/外部アカウントを確認できませんでした/);
    expect(sent).toEqual([]);
  });

  it('tells a refusal in the language that is chosen afterwards', async () => {
    answer(() => failure('E40302', '契約期間が終了しています。'));
    comeBack(tokens);
    await screen.findByText('契約期間が終了しています。');
    await changeLanguage('en');
    await screen.findByText('The license has expired.');
  });

  it('drops the tokens of another browser', async () => {
    const sent = answer(() => HttpResponse.json(partnerReply));
    comeBack({ ...tokens, state: 'gZZZZZZZZZZ' });
    await screen.findByText(/外部アカウントを確認できませんでした/);
    expect(sent).toEqual([]);
  });
});
