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
