import {
  algorithms,
  assertionOf,
  encrypted,
  honest,
  type Keys,
  newId,
  newKeys,
  ofAssertion,
  ofResponse,
  posted,
  responseOf,
  type Said,
  signedXml,
} from '@portal/testing/saml-provider';
import { partOf, wrapped } from '@portal/testing/saml-wrapping';
import { beforeAll, describe, expect, test } from 'vitest';
import { Refusal, type RefusalReason } from '../../src/saml/domain/refusal.ts';
import { type ResponseToRead, readResponse } from '../../src/saml/read-response.ts';
import { createSamlReader } from '../../src/saml/saml-reader.ts';

const now = Date.parse('2026-11-25T12:00:00Z');
let keys: Keys;
let others: Keys;
let elliptic: Keys;
let own: Keys;
let said: Said;
let expected: Omit<ResponseToRead, 'message'>;
let publicKey: string;

const pem = (key: Keys['privateKey'], type: 'pkcs8' | 'spki') =>
  key.export({ type, format: 'pem' }) as string;

beforeAll(async () => {
  [keys, others, elliptic, own] = await Promise.all([newKeys(), newKeys(), newKeys('ec'), newKeys()]);
  publicKey = pem(own.publicKey, 'spki');
  said = {
    issuer: 'https://idp.example.com/metadata',
    audience: 'https://portal.example.com/v1/user/login/sso/metadata/1000',
    acsUrl: 'https://portal.example.com/v1/user/login/sso/acs',
    requestId: newId(),
    now,
    nameId: 'mallory@example.com',
    attributes: { groups: ['Sales', 'R&D'], displayName: ['Mallory'] },
  };
  expected = {
    provider: {
      entityId: said.issuer,
      certificates: [others.certificate, keys.certificate, elliptic.certificate],
    },
    audience: said.audience,
    acsUrl: said.acsUrl,
    requestId: said.requestId,
    now,
    privateKeys: [pem(own.privateKey, 'pkcs8')],
  };
});

const read = (text: string, more: Partial<ResponseToRead> = {}) =>
  readResponse({ ...expected, message: posted(text), ...more });

function refusalOf(text: string, more: Partial<ResponseToRead> = {}): RefusalReason | 'accepted' {
  try {
    read(text, more);
    return 'accepted';
  } catch (error) {
    if (error instanceof Refusal) return error.reason;
    throw error;
  }
}

const evil = () => ({ ...said, nameId: 'admin@example.com' });

describe('What a provider signs is read', () => {
  test('When the assertion is signed, then who it is of, and what else it says, is answered', () => {
    expect(read(honest({ ...said, assertionId: '_one' }, { keys }))).toEqual({
      assertionId: '_one',
      nameId: 'mallory@example.com',
      nameIdFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
      sessionIndex: 'session-1',
      attributes: { groups: ['Sales', 'R&D'], displayName: ['Mallory'] },
      validUntil: now + 360_000,
    });
  });

  test('When the response is signed, or both are, then it is read as well', () => {
    const response = responseOf(said, assertionOf(said));
    expect(refusalOf(signedXml(response, ofResponse, { keys }))).toBe('accepted');
    expect(refusalOf(signedXml(honest(said, { keys }), ofResponse, { keys }))).toBe('accepted');
  });

  test.for(['rsaSha256', 'rsaSha384', 'rsaSha512', 'rsaPss'] as const)(
    'When it is signed with %s, then the certificate that fits is found though the signature names none',
    (name) => {
      expect(refusalOf(honest(said, { keys, algorithm: algorithms[name], showsCertificate: false }))).toBe(
        'accepted',
      );
    },
  );

  test('When it is signed with ECDSA, then it is read', () => {
    expect(refusalOf(honest(said, { keys: elliptic, algorithm: algorithms.ecdsaSha256 }))).toBe('accepted');
  });

  test.for(
    ['aes128-cbc', 'aes192-cbc', 'aes256-cbc', 'aes128-gcm', 'aes256-gcm'].flatMap((cipher) =>
      (['oaep-mgf1p', 'oaep11-sha256'] as const).map((key) => ({ cipher, key })),
    ),
  )(
    'When the assertion is encrypted with $cipher and RSA $key, then it is read, signed inside or outside',
    (how) => {
      const outside = responseOf(said, encrypted(assertionOf(said), publicKey, how));
      expect(refusalOf(signedXml(outside, ofResponse, { keys }))).toBe('accepted');
      const assertion = partOf(honest(said, { keys }), 'saml:Assertion');
      expect(refusalOf(responseOf(said, encrypted(assertion, publicKey, how)))).toBe('accepted');
    },
  );

  test('When the clocks differ by less than a minute, then it is accepted', () => {
    const late = { ...said, notOnOrAfter: '2026-11-25T11:59:01Z', confirmationEnd: '2026-11-25T11:59:01Z' };
    expect(refusalOf(honest(late, { keys }))).toBe('accepted');
    expect(refusalOf(honest({ ...said, notBefore: '2026-11-25T12:00:59Z' }, { keys }))).toBe('accepted');
  });
});

describe('An attack is refused', () => {
  test.for([1, 2, 3, 4, 5, 6, 7, 8] as const)(
    'When a signature is wrapped (XSW%i), then nobody is read',
    (number) => {
      const text = wrapped(number, said, evil(), { keys });
      expect(refusalOf(text)).toMatch(/^(structure|malformed|unsigned|wrongSignature)$/);
    },
  );

  test('When a signature is wrapped where the schemas allow anything, then nobody is read', () => {
    const original = partOf(honest(said, { keys }), 'saml:Assertion');
    const within = (place: string, markup: string) =>
      responseOf(said, assertionOf(evil()).replace(place, markup + place));
    const advice = within('<saml:AuthnStatement', `<saml:Advice>${original}</saml:Advice>`);
    expect(refusalOf(advice)).toBe('structure');
    expect(refusalOf(within('</saml:AttributeValue>', original))).toMatch(/^(structure|malformed)$/);
    const data = assertionOf(evil()).replace(
      /(<saml:SubjectConfirmationData[^>]*)\/>/,
      `$1>${original}</saml:SubjectConfirmationData>`,
    );
    expect(refusalOf(responseOf(said, data))).toBe('structure');
  });

  test('When a response holds an element of another namespace that is named like an assertion, then it is refused', () => {
    const other = '<x:Assertion xmlns:x="urn:x" ID="_x"><x:Issuer>x</x:Issuer></x:Assertion>';
    const text = responseOf(said, assertionOf(said)).replace(
      '<samlp:Status>',
      `<samlp:Extensions>${other}</samlp:Extensions><samlp:Status>`,
    );
    expect(refusalOf(signedXml(text, ofResponse, { keys }))).toBe('structure');
  });

  test('When nothing is signed, then it is refused', () => {
    expect(refusalOf(responseOf(said, assertionOf(said)))).toBe('unsigned');
    expect(refusalOf(responseOf(said, encrypted(assertionOf(said), publicKey)))).toBe('unsigned');
  });

  test('When a foreign key signs, then it is refused, though its certificate stands in the signature', () => {
    const foreign = { provider: { entityId: said.issuer, certificates: [keys.certificate] } };
    expect(refusalOf(honest(said, { keys: others }), foreign)).toBe('wrongSignature');
  });

  test('When it is changed after it was signed, then it is refused', () => {
    const text = honest(said, { keys }).replace('mallory@', 'admin@');
    expect(refusalOf(text)).toBe('wrongSignature');
  });

  test('When it is signed with SHA-1, or its digest is, then it is refused', () => {
    expect(refusalOf(honest(said, { keys, algorithm: algorithms.rsaSha1 }))).toBe('weakSignature');
    expect(refusalOf(honest(said, { keys, digest: algorithms.sha1 }))).toBe('weakSignature');
  });

  test('When the public key is taken for the secret of an HMAC, then it is refused', () => {
    const text = honest(said, { keys }).replace(algorithms.rsaSha256, algorithms.hmacSha256);
    expect(refusalOf(text)).toBe('weakSignature');
  });

  test('When a comment cuts the NameID short, then it is refused', () => {
    const text = honest({ ...said, nameId: 'admin@example.com.evil.example' }, { keys });
    expect(refusalOf(text.replace('.evil', '<!---->.evil'))).toBe('forbiddenMarkup');
  });

  test('When there are two assertions, each signed, then both are refused', () => {
    const one = partOf(honest(said, { keys }), 'saml:Assertion');
    const two = partOf(honest(evil(), { keys }), 'saml:Assertion');
    expect(refusalOf(responseOf(said, one, two))).toBe('structure');
    expect(refusalOf(signedXml(responseOf(said, one, two), ofResponse, { keys }))).toBe('structure');
  });

  test('When an encrypted assertion holds two, or another response, then it is refused', () => {
    const one = partOf(honest(said, { keys }), 'saml:Assertion');
    for (const hidden of [one + assertionOf(evil()), responseOf(evil(), assertionOf(evil()))]) {
      expect(refusalOf(responseOf(said, encrypted(hidden, publicKey)))).toMatch(/^(structure|malformed)$/);
    }
  });

  test('When the key of an assertion is encrypted with the padding of PKCS#1 1.5, then it is refused', () => {
    const text = responseOf(said, encrypted(assertionOf(said), publicKey, { key: 'rsa15' }));
    expect(refusalOf(signedXml(text, ofResponse, { keys }))).toBe('encryption');
  });

  test('When an assertion is encrypted for somebody else, or was changed, then it is refused', () => {
    const elsewhere = encrypted(assertionOf(said), pem(others.publicKey, 'spki'));
    expect(refusalOf(signedXml(responseOf(said, elsewhere), ofResponse, { keys }))).toBe('encryption');
    const changed = encrypted(assertionOf(said), publicKey).replace(
      /<xenc:CipherValue>(.)([^<]*)<\/xenc:CipherValue><\/xenc:CipherData><\/xenc:EncryptedData>/,
      (all, first: string) =>
        all.replace(`<xenc:CipherValue>${first}`, `<xenc:CipherValue>${first === 'A' ? 'B' : 'A'}`),
    );
    expect(refusalOf(signedXml(responseOf(said, changed), ofResponse, { keys }))).toBe('encryption');
  });

  test.for([
    ['a DOCTYPE', '<!DOCTYPE x>', 'forbiddenMarkup'],
    ['entities', '<!DOCTYPE x [<!ENTITY a "a"><!ENTITY b "&a;&a;&a;">]>', 'forbiddenMarkup'],
    ['an external entity', '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>', 'forbiddenMarkup'],
    ['a style sheet', '<?xml-stylesheet href="https://evil.example"?>', 'forbiddenMarkup'],
    ['another encoding', '<?xml version="1.0" encoding="UTF-16"?>', 'malformed'],
  ] as const)('When it begins with %s, then it is refused before it is parsed', ([, head, reason]) => {
    expect(refusalOf(head + honest(said, { keys }))).toBe(reason);
  });

  test('When it is larger than 1 MiB, or nested deeply, then it is refused before it is parsed', () => {
    const filled = honest({ ...said, attributes: { big: ['x'.repeat(5 * 1024 * 1024)] } }, { keys });
    expect(refusalOf(filled)).toBe('tooLarge');
    const deep = `<samlp:Extensions>${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}</samlp:Extensions>`;
    expect(
      refusalOf(responseOf(said, assertionOf(said)).replace('<samlp:Status>', `${deep}<samlp:Status>`)),
    ).toBe('tooDeep');
    expect(refusalOf('', { message: 'no base64!' })).toBe('malformed');
    expect(refusalOf('no xml')).toBe('malformed');
    expect(refusalOf('<a/>')).toBe('malformed');
  });

  test.for([
    ['audience', { audience: 'https://other.example.com' }, 'audience'],
    ['issuer', { issuer: 'https://evil.example.com' }, 'issuer'],
    ['recipient', { recipient: 'https://evil.example.com/acs' }, 'recipient'],
    ['destination', { destination: 'https://evil.example.com/acs' }, 'destination'],
    ['missing destination', { destination: null }, 'destination'],
    ['request', { requestId: '_other' }, 'inResponseTo'],
    ['missing request', { responseRequestId: null }, 'inResponseTo'],
    ['status', { status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }, 'status'],
    ['beginning', { notBefore: '2026-11-25T12:01:01Z' }, 'notYetValid'],
    ['end', { notOnOrAfter: '2026-11-25T11:59:00Z' }, 'expired'],
    ['end of the confirmation', { confirmationEnd: '2026-11-25T11:59:00Z' }, 'expired'],
    ['end of the session', { sessionEnd: '2026-11-25T11:59:00Z' }, 'expired'],
  ] as const)('When the %s is wrong, then it is refused', ([, wrong, reason]) => {
    expect(refusalOf(honest({ ...said, ...wrong }, { keys }))).toBe(reason);
    const response = { ...said, ...wrong };
    expect(refusalOf(signedXml(responseOf(response, assertionOf(response)), ofResponse, { keys }))).toBe(
      reason,
    );
  });

  test('When a response without an assertion says that the sign-in failed, then that is the reason', () => {
    const failed = { ...said, status: 'urn:oasis:names:tc:SAML:2.0:status:Requester' };
    expect(refusalOf(responseOf(failed))).toBe('status');
  });

  test('When the signature covers something else than its own element, then it is refused', () => {
    const text = signedXml(responseOf(said, assertionOf(said)), ofAssertion, { keys });
    const moved = text
      .replace(partOf(text, 'Signature'), '')
      .replace('</saml:Issuer>', `</saml:Issuer>${partOf(text, 'Signature')}`);
    expect(refusalOf(moved)).toBe('structure');
  });
});

describe('Messages are read in threads', () => {
  test('When many are read at once, then each is answered, and refusals say why', async () => {
    const reader = createSamlReader({ threads: 2, withinMs: 20_000, waiting: 20 });
    try {
      const good = { ...expected, message: posted(honest(said, { keys })) };
      const bad = { ...expected, message: posted(responseOf(said, assertionOf(said))) };
      const answers = await Promise.allSettled([good, bad, good, bad].map((one) => reader.readResponse(one)));
      expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
      expect(answers[1]).toMatchObject({ reason: { reason: 'unsigned' } });
    } finally {
      await reader.close();
    }
  });

  test('When one takes too long, or too many wait, then it is refused and the next is read', async () => {
    const slow = createSamlReader({ threads: 1, withinMs: 1, waiting: 1 });
    const good = { ...expected, message: posted(honest(said, { keys })) };
    try {
      const [first, second, third] = await Promise.allSettled(
        [good, good, good].map((one) => slow.readResponse(one)),
      );
      expect(first).toMatchObject({ reason: { reason: 'tooSlow' } });
      expect(second).toMatchObject({ reason: { reason: 'tooSlow' } });
      expect(third).toMatchObject({ reason: { code: 'E50301' } });
    } finally {
      await slow.close();
    }
  });
});
