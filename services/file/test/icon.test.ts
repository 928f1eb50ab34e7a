import { fileRoutes } from '@portal/contracts';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoPackage } from '../src/demo/demo-package.ts';
import { admin, type FileHarness, someBytes, startFileHarness } from './file-harness.ts';

let harness: FileHarness;
let names = 0;
const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const png = (size: number) => {
  const bytes = new Uint8Array(size);
  bytes.set(signature);
  return bytes;
};

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1);
});
afterAll(async () => harness.stop());

async function iconOf(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  names += 1;
  const id = await harness.upload({ fileName: `icon${names}.uap`, bytes });
  const { body } = await harness.call(fileRoutes.getFile, { params: { pid: 1, id } }, admin);
  expect(body.uploadStatus).toBe('complete');
  if (body.iconSignedUrl === null) return undefined;
  const reply = await harness.get(body.iconSignedUrl);
  expect(reply.headers.get('content-type')).toBe('image/png');
  return new Uint8Array(await reply.arrayBuffer());
}

describe('When a package is uploaded', () => {
  it('then the icon at its root is its icon', async () => {
    expect(await iconOf(demoPackage('Demo', [1, 2, 3]))).toBeDefined();
    const icon = png(1024 * 1024);
    const many = Object.fromEntries(
      Array.from({ length: 3000 }, (_, i) => [`data/${i}.txt`, strToU8(`${i}`)]),
    );
    expect(
      await iconOf(zipSync({ ...many, 'icon.png': icon, 'last.txt': strToU8('x') }, { level: 0 })),
    ).toEqual(icon);
  });

  it.each([
    ['no ZIP', someBytes('no zip at all')],
    ['a ZIP without one', zipSync({ 'a.txt': strToU8('x') })],
    ['one that is not at the root', zipSync({ 'assets/icon.png': png(10) })],
    ['one that is no PNG', zipSync({ 'icon.png': strToU8('GIF89a') })],
    ['one that is too large', zipSync({ 'icon.png': png(1024 * 1024 + 1) })],
    ['a bomb', zipSync({ 'icon.png': png(200 * 1024 * 1024) }, { level: 9 })],
    ['a ZIP that was cut off', zipSync({ 'icon.png': png(1000) }).subarray(20)],
  ])('then %s gives no icon and no error', async (_, bytes) => {
    expect(await iconOf(bytes)).toBeUndefined();
  });

  it('then one that says it is smaller than it is gives none', async () => {
    const bytes = Buffer.from(zipSync({ 'icon.png': png(5 * 1024 * 1024) }, { level: 9 }));
    const directory = bytes.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
    bytes.writeUInt32LE(1000, directory + 24);
    expect(await iconOf(bytes)).toBeUndefined();
  });

  it('then damage anywhere does no harm', async () => {
    const whole = demoPackage('Demo', [1, 2, 3]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 })), {
          minLength: 1,
          maxLength: 20,
        }),
        async (changes) => {
          const damaged = Buffer.from(whole);
          for (const [at, value] of changes) damaged[at] = value;
          await iconOf(damaged);
        },
      ),
      { numRuns: 60 },
    );
  });
});
