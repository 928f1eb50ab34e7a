import { expect, test, vi } from 'vitest';
import { connectPlayer } from '../player.ts';

const person = {
  partner: {
    id: 1,
    name: 'Demo Corporation',
    partner_code: '1000',
    license_expired_on_unixtime: null,
    contract_rank: 'enterprise',
    license_type: 'user',
    json: '',
  },
  user: { id: 5, name: 'Taro', email: null, login_user_id: 'taro', role: 0, groups: [] },
  two_factor_setup: false,
};

/** A player whose tokens are renewed at once, and what it calls; `renewed` answers its renewals. */
async function playerWith(renewed: () => Promise<Response>) {
  const calls: string[] = [];
  const player = await connectPlayer({
    url: 'http://portal.example',
    device: 'device',
    partnerCode: '1000',
    user: 'taro',
    password: 'Passw0rd-demo',
    async fetch(input, init) {
      const { pathname } = new URL(new Request(input, init).url);
      calls.push(pathname);
      if (pathname === '/v2/oauth2/token') return renewed();
      return Response.json(
        pathname === '/v2/partner/login'
          ? { access_token: 'token', token_type: 'Bearer', expires_in: 1, ...person }
          : {},
      );
    },
  });
  return { calls, player };
}

test('A player that signs out while its token is renewed renews no other', async () => {
  vi.useFakeTimers();
  const answer = Promise.withResolvers<Response>();
  const { calls, player } = await playerWith(async () => answer.promise);
  await vi.advanceTimersByTimeAsync(1_000);
  await player.signOut();
  answer.resolve(Response.json({ access_token: 'other', token_type: 'Bearer', expires_in: 1 }));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(calls).toEqual(['/v2/partner/login', '/v2/oauth2/token', '/v1/user/logout']);
  vi.useRealTimers();
});

test('A player whose session has ended renews no token', async () => {
  vi.useFakeTimers();
  const refused = { code: 'E40101', message: 'Sign in again.', errors: [], request_id: '1' };
  const { calls } = await playerWith(async () => Promise.resolve(Response.json(refused, { status: 401 })));
  await vi.advanceTimersByTimeAsync(600_000);
  expect(calls).toEqual(['/v2/partner/login', '/v2/oauth2/token']);
  vi.useRealTimers();
});

test('A player that waits longer than a token lives goes on with a new one', async () => {
  let given = 0;
  const calls: [path: string, token: string | null][] = [];
  const session = () => {
    given += 1;
    return { access_token: `token-${given}`, token_type: 'Bearer', expires_in: given < 3 ? 1 : 3_600 };
  };
  const player = await connectPlayer({
    url: 'http://portal.example',
    device: 'device',
    partnerCode: '1000',
    user: 'taro',
    password: 'Passw0rd-demo',
    async fetch(input, init) {
      const request = new Request(input, init);
      const { pathname } = new URL(request.url);
      calls.push([pathname, request.headers.get('authorization')]);
      if (pathname === '/v2/partner/login') return Response.json({ ...session(), ...person });
      return Response.json(pathname === '/v2/oauth2/token' ? session() : {});
    },
  });
  await vi.waitFor(() => expect(given).toBe(3), { timeout: 15_000 });
  await player.signOut();
  expect(calls).toEqual([
    ['/v2/partner/login', null],
    ['/v2/oauth2/token', 'Bearer token-1'],
    ['/v2/oauth2/token', 'Bearer token-2'],
    ['/v1/user/logout', 'Bearer token-3'],
  ]);
});
