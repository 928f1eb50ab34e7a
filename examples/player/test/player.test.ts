import { afterEach, beforeEach, expect, test, vi } from 'vitest';
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

const token = (number: number, seconds: number) => ({
  access_token: `token-${number}`,
  token_type: 'Bearer',
  expires_in: seconds,
});

/** A player whose first token lives for a second, and what it calls with which token; `renewed` answers its renewals. */
async function playerWith(renewed: () => Promise<Response>) {
  const calls: [path: string, token: string | null][] = [];
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
      if (pathname === '/v2/oauth2/token') return renewed();
      return Response.json(pathname === '/v2/partner/login' ? { ...token(1, 1), ...person } : {});
    },
  });
  return { calls, player };
}
const login = ['/v2/partner/login', null];
const renewal = (number: number) => ['/v2/oauth2/token', `Bearer token-${number}`];
const logout = (number: number) => ['/v1/user/logout', `Bearer token-${number}`];

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('A player that waits longer than a token lives goes on with a new one', async () => {
  let given = 1;
  const { calls, player } = await playerWith(async () => {
    given += 1;
    return Promise.resolve(Response.json(token(given, given < 3 ? 1 : 3_600)));
  });
  await vi.advanceTimersByTimeAsync(15_000);
  await player.signOut();
  expect(calls).toEqual([login, renewal(1), renewal(2), logout(3)]);
});

test('A player that signs out while its token is renewed renews no other', async () => {
  const answer = Promise.withResolvers<Response>();
  const { calls, player } = await playerWith(async () => answer.promise);
  await vi.advanceTimersByTimeAsync(1_000);
  await player.signOut();
  answer.resolve(Response.json(token(2, 1)));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(calls).toEqual([login, renewal(1), logout(1)]);
});

test('A player whose session has ended renews no token', async () => {
  const refused = { code: 'E40101', message: 'Sign in again.', errors: [], request_id: '1' };
  const { calls } = await playerWith(async () => Promise.resolve(Response.json(refused, { status: 401 })));
  await vi.advanceTimersByTimeAsync(600_000);
  expect(calls).toEqual([login, renewal(1)]);
});
