import { AppError, manualClock } from '@portal/kernel';
import Fastify from 'fastify';
import {
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTHeaderParameters,
  SignJWT,
} from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { createTokenVerifier, tokenAlgorithm, tokenIssuer } from '../src/auth/tokens.ts';

/** The verifier on its own. The tokens are signed by another library than the one that reads them. */

const clock = manualClock(new Date('2026-11-21T09:00:00Z'));
const seconds = () => Math.floor(clock.now().getTime() / 1000);
const jwkOf = async (key: CryptoKey, kid: string) => ({
  ...(await exportJWK(key)),
  kid,
  alg: tokenAlgorithm,
});

let first: Awaited<ReturnType<typeof generateKeyPair>>;
let second: Awaited<ReturnType<typeof generateKeyPair>>;
let stranger: Awaited<ReturnType<typeof generateKeyPair>>;
beforeAll(async () => {
  [first, second, stranger] = await Promise.all([
    generateKeyPair(tokenAlgorithm),
    generateKeyPair(tokenAlgorithm),
    generateKeyPair(tokenAlgorithm),
  ]);
});

/** A verifier, the keys that are published to it, and how often it has asked for them. */
async function setUp(kids: Readonly<Record<string, CryptoKey>>) {
  const published = { keys: await Promise.all(Object.entries(kids).map(([kid, key]) => jwkOf(key, kid))) };
  const state = { asked: 0, outage: false };
  const app = Fastify();
  const tokens = createTokenVerifier(app, {
    keys: async () => {
      state.asked += 1;
      if (state.outage) throw new AppError('E50301');
      return published;
    },
    revocations: {
      has: () => false,
      withRoleOfNow: (caller) => caller,
      loaded: async () => {},
      close: async () => {},
    },
    clock,
  });
  app.get('/verify', async (request) => tokens.verify(request));
  app.get('/identify', async (request) => tokens.identify(request));
  const ask = async (path: string, token: string) =>
    (await app.inject({ url: path, headers: { authorization: `Bearer ${token}` } })).json<{
      kind?: string;
      code?: string;
    }>();
  /** The kind of the caller, or the code of the refusal. */
  const outcomeOf = async (token: string) => {
    const { code, kind } = await ask('/verify', token);
    return code ?? kind;
  };
  const identified = (token: string) => ask('/identify', token);
  return { identified, outcomeOf, published, state };
}

const claims = { sid: 's', role: 127, unit: null };
function signed(
  key: CryptoKey | Uint8Array,
  header: Partial<JWTHeaderParameters> = { kid: 'first' },
  issuer: string | undefined = tokenIssuer,
): Promise<string> {
  const token = new SignJWT(claims)
    .setProtectedHeader({ alg: tokenAlgorithm, ...header })
    .setAudience('admin')
    .setSubject('7')
    .setExpirationTime(seconds() + 3_600);
  return (issuer === '' ? token : token.setIssuer(issuer)).sign(key);
}

describe('When a token comes', () => {
  test('then the key that its id names decides', async () => {
    const { outcomeOf } = await setUp({ first: first.publicKey, second: second.publicKey });
    expect(await outcomeOf(await signed(first.privateKey))).toBe('admin');
    expect(await outcomeOf(await signed(second.privateKey, { kid: 'second' }))).toBe('admin');
    expect(await outcomeOf(await signed(first.privateKey, { kid: 'second' }))).toBe('E40102');
    expect(await outcomeOf(await signed(stranger.privateKey))).toBe('E40102');
    expect(await outcomeOf(await signed(first.privateKey, { kid: 'constructor' }))).toBe('E40102');
    expect(await outcomeOf(await signed(first.privateKey, {}))).toBe('E40102');
  });

  test('then nothing but its own algorithm is taken, least of all the public key as a secret', async () => {
    const { outcomeOf } = await setUp({ first: first.publicKey });
    const [, body, signature] = (await signed(first.privateKey)).split('.');
    const withHeader = (header: object, end = signature) =>
      `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${body}.${end}`;
    for (const alg of ['none', 'None', 'HS256', 'RS256', 'ES256', '', 'constructor']) {
      expect(await outcomeOf(withHeader({ alg, kid: 'first' })), alg).toBe('E40102');
      expect(await outcomeOf(withHeader({ alg, kid: 'first' }, '')), alg).toBe('E40102');
    }
    const pem = Buffer.from(await exportSPKI(first.publicKey));
    for (const secret of [
      pem,
      Buffer.from(pem.toString().trim()),
      Buffer.from(String((await jwkOf(first.publicKey, '')).x)),
    ]) {
      expect(await outcomeOf(await signed(secret, { alg: 'HS256', kid: 'first' }))).toBe('E40102');
    }
    expect(await outcomeOf(withHeader({ alg: tokenAlgorithm, kid: 'first', crit: ['exp'] }))).toBe('E40102');
  });

  test('then one of another issuer, or of none, is refused', async () => {
    const { outcomeOf } = await setUp({ first: first.publicKey });
    expect(await outcomeOf(await signed(first.privateKey, { kid: 'first' }, 'portal.'))).toBe('E40102');
    expect(await outcomeOf(await signed(first.privateKey, { kid: 'first' }, ''))).toBe('E40102');
  });

  test('then one that is over is refused, and still tells whose it is', async () => {
    const { identified, outcomeOf } = await setUp({ first: first.publicKey });
    const token = await signed(first.privateKey);
    clock.advance(3_599_000);
    expect(await outcomeOf(token)).toBe('admin');
    clock.advance(1_000);
    expect(await outcomeOf(token)).toBe('E40102');
    expect(await identified(token)).toMatchObject({ kind: 'admin', adminId: 7 });
  });
});

describe('When the keys change', () => {
  test('then a new one is known with its first token, and forged ids ask for the keys once in ten seconds', async () => {
    const { outcomeOf, published, state } = await setUp({ first: first.publicKey });
    expect(await outcomeOf(await signed(first.privateKey))).toBe('admin');
    published.keys.push(await jwkOf(second.publicKey, 'second'));
    const fresh = await signed(second.privateKey, { kid: 'second' });
    expect(await outcomeOf(fresh)).toBe('E40102');
    expect(state.asked).toBe(1);
    clock.advance(10_001);
    expect(await outcomeOf(fresh)).toBe('admin');
    for (const kid of ['a', 'b', 'c']) {
      expect(await outcomeOf(await signed(stranger.privateKey, { kid }))).toBe('E40102');
    }
    expect(state.asked).toBe(2);
  });

  test('and cannot be fetched, then the answer is 503 and not that the token is bad, and they are fetched again', async () => {
    const { outcomeOf, state } = await setUp({ first: first.publicKey });
    const token = await signed(first.privateKey);
    state.outage = true;
    expect(await outcomeOf(token)).toBe('E50301');
    state.outage = false;
    expect(await outcomeOf(token)).toBe('admin');
    state.outage = true;
    // A token that is known needs no key.
    expect(await outcomeOf(token)).toBe('admin');
  });
});
