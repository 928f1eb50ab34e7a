import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { SsoRefused, signInBySso } from '../sso.ts';

/** The half that a player does by itself: the portal and the provider are those of the engines test. */

const begin = async () => {
  const shown = Promise.withResolvers<URL>();
  const result = signInBySso({
    url: 'https://portal.example.com',
    partnerCode: '1000',
    agent: 'example-player/1.0.0',
    show: (address) => shown.resolve(new URL(address)),
  });
  result.catch(() => {});
  const address = await shown.promise;
  return { address, redirectUrl: address.searchParams.get('redirect_url') ?? '', result };
};

test('The browser goes to the portal with a challenge, and comes back to this machine with a code', async () => {
  const { address, redirectUrl, result } = await begin();
  expect(address.origin + address.pathname).toBe('https://portal.example.com/v1/user/login/sso');
  const { agent, code_challenge, code_challenge_method, partner_code } = Object.fromEntries(
    address.searchParams,
  );
  expect([agent, code_challenge_method, partner_code]).toEqual(['example-player/1.0.0', 'S256', '1000']);
  expect(redirectUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}$/);
  const reply = await fetch(`${redirectUrl}?code=abc`);
  expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('signed in')]);
  const { code, codeVerifier } = await result;
  expect(code).toBe('abc');
  expect(createHash('sha256').update(codeVerifier).digest('base64url')).toBe(code_challenge);
  // The listener is gone with it.
  await vi.waitFor(async () => expect(fetch(redirectUrl)).rejects.toThrow());
});

test('Whoever does not know the path says nothing to it; a refusal is told', async () => {
  const { redirectUrl, result } = await begin();
  expect((await fetch(new URL('/?code=stolen', redirectUrl))).status).toBe(404);
  expect((await fetch(redirectUrl, { method: 'POST' })).status).toBe(404);
  await fetch(`${redirectUrl}?error=E40307`);
  await expect(result).rejects.toThrow(SsoRefused);
  await expect(result).rejects.toThrow('E40307');
});
