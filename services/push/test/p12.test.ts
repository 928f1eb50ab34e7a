import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pushRoutes as routes } from '@portal/contracts';
import { adminActor } from '@portal/testing';
import forge from 'node-forge';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createP12Reader } from '../src/certifications/p12/p12-reader.ts';
import { type PushHarness, refusal, startPushHarness, type TestPartner } from './push-harness.ts';

let harness: PushHarness;
let own: TestPartner;

beforeAll(async () => {
  harness = await startPushHarness();
  own = await harness.partner();
});
afterAll(async () => harness.stop());

const file = (name: string) => readFileSync(join(import.meta.dirname, 'p12', `${name}.p12`));
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const read = async (p12: string, password?: string | null) =>
  harness.call(routes.readP12, { body: { p12, ...(password !== undefined && { password }) } }, own.admin);
const refused = async (p12: string, password?: string) =>
  refusal(
    await harness.refused(
      routes.readP12,
      { body: { p12, ...(password !== undefined && { password }) } },
      own.admin,
    ),
  );

describe('When a PKCS#12 file is read', () => {
  test.each([
    ['modern', 'secret'],
    ['legacy', 'secret'],
    ['japanese', 'ひみつ'],
    ['empty', ''],
    ['empty', null],
    ['empty', undefined],
  ])(
    '%s with the password %j, then its certificate and key come out, which belong together',
    async (name, password) => {
      const { body, status } = await read(base64(file(name)), password);
      expect([status, Object.keys(body).sort()]).toEqual([
        200,
        ['certificate', 'certificateExpiresAt', 'privateKey', 'subject', 'topic'],
      ]);
      expect(body).toMatchObject({
        topic: 'com.example.app',
        certificateExpiresAt: expect.stringMatching(/^2036-/),
      });
      expect(body.subject).toContain('Apple Push Services: com.example.app');
      expect(body.certificate).toMatch(/^-----BEGIN CERTIFICATE-----/);
      const key = createPrivateKey(body.privateKey);
      expect(new X509Certificate(body.certificate).checkPrivateKey(key)).toBe(true);
      const certification = { certificationFileName: `${name}.p12`, ...body };
      expect(
        await own.certification({ name: `${name} ${password}`, apiKey: null, ...certification }),
      ).toBeGreaterThan(0);
    },
  );

  test('by an administrator with SuperAdministration, then it is read too', async () => {
    const body = { p12: base64(file('modern')), password: 'secret' };
    expect((await harness.call(routes.readP12, { body }, adminActor())).status).toBe(200);
  });

  test.each(['modern', 'legacy', 'empty', 'japanese'])(
    '%s with a wrong password, then it is E40002 on password',
    async (name) => {
      expect(await refused(base64(file(name)), 'wrong')).toEqual([400, 'E40002', 'password']);
    },
  );

  test('without the password that it has, then it is E40002 on password', async () => {
    expect(await refused(base64(file('modern')))).toEqual([400, 'E40002', 'password']);
  });

  test.each([
    ['no base64', '§§§§'],
    ['no PKCS#12', base64(Buffer.from('a text'))],
    ['a certificate in DER', base64(derOf('modern'))],
    ['cut off', base64(file('modern').subarray(0, 1000))],
    ['without a key', base64(file('nokey'))],
    ['with an elliptic key', base64(file('elliptic'))],
    ['with several keys', base64(twoKeys())],
  ])('that is %s, then it is E40002 on p12', async (_, p12) => {
    expect(await refused(p12, 'secret')).toEqual([400, 'E40002', 'p12']);
  });

  test('of nothing, then it is E40003 on p12', async () => {
    expect(await refused('')).toEqual([400, 'E40003', 'p12']);
  });

  test('of more than 1 MiB, then it is E40002 on p12; a body of more than 2 MiB is not read', async () => {
    expect(await refused(base64(Buffer.alloc(1024 * 1024 + 1)))).toEqual([400, 'E40002', 'p12']);
    const [status, code] = await refused('A'.repeat(2 * 1024 * 1024));
    expect([status, code]).toEqual([413, 'E40001']);
  });
});

describe('When a PKCS#12 file costs more than it may', () => {
  test.each([
    ['of its seal', sealBomb],
    ['of its key', keyBomb],
  ])('by the rounds %s, then it is E40002 on p12, and others are served meanwhile', async (_, bomb) => {
    const begun = performance.now();
    const reading = refused(base64(bomb()), 'secret');
    const other = performance.now();
    const list = await harness.call(routes.listCertifications, { params: { pid: own.pid } }, own.admin);
    expect(list.status).toBe(200);
    expect(performance.now() - other).toBeLessThan(2_000);
    expect(await reading).toEqual([400, 'E40002', 'p12']);
    expect(performance.now() - begun).toBeLessThan(15_000);
  });

  test('then so many are read at once, a few wait, one of each asker, and the others are refused', async () => {
    const reader = createP12Reader({ withinMs: 400, atOnce: 1, waiting: 1 });
    const outcomes = await Promise.all(
      ['a', 'a', 'b', 'c'].map(async (asker) =>
        reader.read(asker, sealBomb(), 'secret').catch((error: Error) => ({ wrong: error.message })),
      ),
    );
    expect(outcomes).toEqual([{ wrong: 'p12' }, { wrong: 'E50301' }, { wrong: 'p12' }, { wrong: 'E50301' }]);
    // Nothing is left behind.
    const usual = createP12Reader();
    expect(await usual.read('a', file('modern'), 'secret')).toMatchObject({ privateKey: expect.any(String) });
  });
});

/** The parts of a file. */
const parsed = (bytes: Uint8Array) =>
  forge.asn1.fromDer(forge.util.createBuffer(Buffer.from(bytes).toString('binary')));
const written = (asn1: forge.asn1.Asn1) => Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'binary');
const partsOf = ({ value }: forge.asn1.Asn1): forge.asn1.Asn1[] => (typeof value === 'string' ? [] : value);

/** A seal that is checked in 2,147,483,647 rounds. */
function sealBomb(): Buffer {
  const asn1 = parsed(file('modern'));
  const rounds = partsOf(partsOf(asn1)[2] ?? asn1)[2];
  if (!rounds) throw new Error('The file has no seal');
  rounds.value = '\x7F\xFF\xFF\xFF';
  return written(asn1);
}

/** A key that opens in 8,388,607 rounds, without a seal that would be wrong then. */
function keyBomb(): Buffer {
  const asn1 = parsed(made(65_537));
  partsOf(asn1).pop();
  const bytes = written(asn1).toString('latin1');
  const counted = bytes.replaceAll('\x02\x03\x01\x00\x01', '\x02\x03\x7F\xFF\xFF');
  expect(counted).not.toBe(bytes);
  return Buffer.from(counted, 'latin1');
}

function made(count = 1): Buffer {
  const pair = forge.pki.rsa.generateKeyPair(1024);
  const cert = forge.pki.createCertificate();
  cert.publicKey = pair.publicKey;
  cert.validity.notAfter = new Date('2036-01-01T00:00:00Z');
  cert.sign(pair.privateKey, forge.md.sha256.create());
  const asn1 = forge.pkcs12.toPkcs12Asn1(pair.privateKey, cert, 'secret', { algorithm: 'aes256', count });
  return written(asn1);
}

/** The contents of two files in one, without a seal. */
function twoKeys(): Buffer {
  const [one, two] = [parsed(made()), parsed(made())];
  const contentOf = (asn1: forge.asn1.Asn1) => partsOf(partsOf(partsOf(asn1)[1] ?? asn1)[1] ?? asn1)[0];
  const [into, from] = [contentOf(one), contentOf(two)];
  if (typeof into?.value !== 'string' || typeof from?.value !== 'string')
    throw new Error('They have no contents');
  const both = forge.asn1.fromDer(into.value);
  partsOf(both).push(...partsOf(forge.asn1.fromDer(from.value)));
  into.value = forge.asn1.toDer(both).getBytes();
  partsOf(one).pop();
  return written(one);
}

function derOf(name: string): Uint8Array {
  return file(name).subarray(4, 400);
}
