import { createPublicKey, verify } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import {
  algorithms,
  type Keys,
  newId,
  newKeys,
  posted,
  redirected,
  signedXml,
} from '@portal/testing/saml-provider';
import { beforeAll, describe, expect, test } from 'vitest';
import { Refusal, type RefusalReason } from '../../src/saml/domain/refusal.ts';
import { authnRequest, logoutRequest, logoutResponse } from '../../src/saml/messages.ts';
import type { SamlParty } from '../../src/saml/party.ts';
import { type LogoutMessage, type LogoutToRead, outlineOf, readLogout } from '../../src/saml/read-logout.ts';
import { requireSchema } from '../../src/saml/schema.ts';

const now = Date.parse('2026-11-25T12:00:00Z');
const issuer = 'https://idp.example.com/metadata';
const sloUrl = 'https://portal.example.com/v1/user/login/sso/slo';
let keys: Keys;
let others: Keys;
let party: SamlParty;

beforeAll(async () => {
  [keys, others] = await Promise.all([newKeys(), newKeys()]);
  party = {
    entityId: 'https://portal.example.com/v1/user/login/sso/metadata/1000',
    acsUrl: 'https://portal.example.com/v1/user/login/sso/acs',
    sloUrl,
    privateKey: String(keys.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    certificate: `-----BEGIN CERTIFICATE-----\n${keys.certificate}\n-----END CERTIFICATE-----\n`,
  };
});

interface Told {
  readonly id?: string;
  readonly destination?: string;
  readonly madeAt?: number;
  readonly until?: string;
  readonly sessionIndex?: string;
  readonly from?: string;
}

const requestOf = ({
  destination = sloUrl,
  from = issuer,
  id = newId(),
  madeAt = now,
  sessionIndex,
  until,
}: Told = {}) =>
  `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${new Date(madeAt).toISOString()}" Destination="${destination}"${until ? ` NotOnOrAfter="${until}"` : ''}><saml:Issuer>${from}</saml:Issuer><saml:NameID>taro@example.com</saml:NameID>${sessionIndex ? `<samlp:SessionIndex>${sessionIndex}</samlp:SessionIndex>` : ''}</samlp:LogoutRequest>`;

const byRedirect = (
  text: string,
  signing: { keys: Keys; algorithm?: string },
  state?: string,
): LogoutMessage => ({
  kind: 'redirect',
  query: redirected('SAMLRequest', text, signing, state),
});
const byPost = (text: string, signing: { keys: Keys; algorithm?: string }): LogoutMessage => ({
  kind: 'post',
  message: posted(signedXml(text, "/*[local-name(.)='LogoutRequest']", signing)),
});

const read = (message: LogoutMessage, more: Partial<LogoutToRead> = {}) =>
  readLogout({
    message,
    provider: { entityId: issuer, certificates: [keys.certificate] },
    sloUrl,
    now,
    ...more,
  });

function refusalOf(message: LogoutMessage): RefusalReason | 'accepted' {
  try {
    read(message);
    return 'accepted';
  } catch (error) {
    if (error instanceof Refusal) return error.reason;
    throw error;
  }
}

describe('Logouts of a provider', () => {
  test('When a request is signed, by redirect or by POST, then whom it is about is read', () => {
    const text = requestOf({ id: '_one', sessionIndex: 'session-1' });
    const told = { kind: 'request', id: '_one', nameId: 'taro@example.com', sessionIndexes: ['session-1'] };
    expect(read(byRedirect(text, { keys }))).toMatchObject(told);
    expect(read(byRedirect(text, { keys }, 'https://evil.example'))).toMatchObject(told);
    expect(read(byPost(text, { keys }))).toMatchObject(told);
    expect(outlineOf(byRedirect(text, { keys }))).toEqual({ kind: 'request', issuer, inResponseTo: null });
  });

  test('When it is not signed, by a foreign key, or weakly, then it is refused', () => {
    const text = requestOf();
    expect(refusalOf(byRedirect(text, { keys: others }))).toBe('wrongSignature');
    expect(refusalOf(byPost(text, { keys: others }))).toBe('wrongSignature');
    expect(refusalOf(byRedirect(text, { keys, algorithm: algorithms.rsaSha1 }))).toBe('weakSignature');
    expect(refusalOf(byPost(text, { keys, algorithm: algorithms.rsaSha1 }))).toBe('weakSignature');
    expect(refusalOf({ kind: 'post', message: posted(text) })).toBe('unsigned');
    const query = redirected('SAMLRequest', text, { keys });
    expect(refusalOf({ kind: 'redirect', query: query.replace(/&SigAlg.*/, '') })).toBe('unsigned');
  });

  test('When the query is not what was signed, then it is refused', () => {
    const query = redirected('SAMLRequest', requestOf(), { keys });
    const other = redirected('SAMLRequest', requestOf({ sessionIndex: 'other' }), { keys });
    const [request = ''] = other.split('&');
    expect(refusalOf({ kind: 'redirect', query: query.replace(/^[^&]*/, request) })).toBe('wrongSignature');
    expect(refusalOf({ kind: 'redirect', query: `${query}&RelayState=x` })).toBe('wrongSignature');
    expect(refusalOf({ kind: 'redirect', query: `${request}&${query}` })).toBe('structure');
    expect(refusalOf({ kind: 'redirect', query: query.replace('SAMLRequest=', 'SAMLResponse=') })).toBe(
      'wrongSignature',
    );
  });

  test('When it is meant for another place or time, or inflates without end, then it is refused', () => {
    expect(refusalOf(byRedirect(requestOf({ destination: 'https://evil.example/slo' }), { keys }))).toBe(
      'destination',
    );
    expect(refusalOf(byRedirect(requestOf({ from: 'https://evil.example' }), { keys }))).toBe('issuer');
    expect(refusalOf(byRedirect(requestOf({ madeAt: now - 601_000 }), { keys }))).toBe('expired');
    expect(refusalOf(byRedirect(requestOf({ madeAt: now + 601_000 }), { keys }))).toBe('notYetValid');
    expect(refusalOf(byRedirect(requestOf({ until: '2026-11-25T11:59:00Z' }), { keys }))).toBe('expired');
    expect(refusalOf(byRedirect(' '.repeat(2 * 1024 * 1024), { keys }))).toBe('malformed');
  });
});

describe('What we send', () => {
  const binding = { redirect: 'redirect', post: 'post' } as const;
  const target = (kind: keyof typeof binding) => ({
    binding: binding[kind],
    location: 'https://idp.example.com/go?a=b',
  });
  const common = { id: '_1', now: new Date(now) };

  test('When a request goes by redirect, then the query is signed and the message is one that the schemas allow', () => {
    const outgoing = authnRequest(party, { ...common, target: target('redirect') });
    if (outgoing.kind !== 'redirect') throw new Error('Not a redirect');
    const query = new URL(outgoing.url).searchParams;
    const text = inflateRawSync(Buffer.from(query.get('SAMLRequest') ?? '', 'base64')).toString();
    requireSchema(text);
    expect(text).toContain(`AssertionConsumerServiceURL="${party.acsUrl}"`);
    expect(text).toContain('Destination="https://idp.example.com/go?a=b"');
    expect(text).toContain(`<saml:Issuer>${party.entityId}</saml:Issuer>`);
    expect(query.get('a')).toBe('b');
    expect(query.has('RelayState')).toBe(false);
    const [, signed = '', signature = ''] = /\?a=b&(.*)&Signature=(.*)$/.exec(outgoing.url) ?? [];
    const bytes = Buffer.from(decodeURIComponent(signature), 'base64');
    expect(
      verify(
        'sha256',
        Buffer.from(signed),
        createPublicKey(keys.publicKey.export({ type: 'spki', format: 'pem' })),
        bytes,
      ),
    ).toBe(true);
  });

  test('When the state of a provider has signs of all kinds, then an address has them as they were signed', () => {
    const relayState = `it's (a) "state"!* ~\u00e9\\`;
    const outgoing = logoutResponse(party, {
      ...common,
      inResponseTo: '_2',
      relayState,
      target: target('redirect'),
    });
    if (outgoing.kind !== 'redirect') throw new Error('Not a redirect');
    expect(new URL(outgoing.url).href).toBe(outgoing.url);
    expect(new URL(outgoing.url).searchParams.get('RelayState')).toBe(relayState);
  });

  test('When messages go by POST, then they are signed inside', () => {
    const name = { nameId: 'a & b', nameIdFormat: null, sessionIndex: null };
    const all = [
      authnRequest(party, { ...common, target: target('post') }),
      logoutRequest(party, { ...common, ...name, target: target('post') }),
      logoutResponse(party, { ...common, inResponseTo: '_2', relayState: 'x', target: target('post') }),
    ];
    for (const outgoing of all) {
      if (outgoing.kind !== 'post') throw new Error('Not a form');
      const text = Buffer.from(
        outgoing.fields['SAMLRequest'] ?? outgoing.fields['SAMLResponse'] ?? '',
        'base64',
      ).toString();
      requireSchema(text);
      expect(text).toContain('Signature');
    }
    expect(all[2]).toMatchObject({ fields: { RelayState: 'x' } });
  });

  test('When our own logout comes back, then what it signs is right', () => {
    const own = { entityId: party.entityId, certificates: [keys.certificate] };
    for (const kind of ['redirect', 'post'] as const) {
      const to = { binding: kind, location: sloUrl };
      const outgoing = logoutRequest(party, {
        ...common,
        nameId: 'a',
        nameIdFormat: null,
        sessionIndex: 's',
        target: to,
      });
      const message: LogoutMessage =
        outgoing.kind === 'redirect'
          ? { kind: 'redirect', query: outgoing.url.slice(outgoing.url.indexOf('?') + 1) }
          : { kind: 'post', message: outgoing.fields['SAMLRequest'] ?? '' };
      expect(read(message, { provider: own })).toMatchObject({
        kind: 'request',
        nameId: 'a',
        sessionIndexes: ['s'],
      });
    }
  });
});
