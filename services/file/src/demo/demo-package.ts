import { crc32, deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { iconName } from '../uploads/domain/icon.ts';

type Colour = readonly [number, number, number];

const iconSize = 64;

/** A small package: a ZIP with an icon and something to tell it from others. The same bytes each time. */
export function demoPackage(title: string, colour: Colour): Buffer {
  const manifest = JSON.stringify({ title, entry: 'index.html' }, null, 2);
  const page = `<!doctype html><title>${title}</title><h1>${title}</h1>`;
  return Buffer.from(
    zipSync(
      { [iconName]: png(colour), 'manifest.json': strToU8(manifest), 'index.html': strToU8(page) },
      { mtime: new Date(2026, 0, 1) },
    ),
  );
}

/** A square of one colour as a PNG. */
function png([red, green, blue]: Colour): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(iconSize, 0);
  header.writeUInt32BE(iconSize, 4);
  // 8 bits a channel, RGB.
  header.set([8, 2], 8);
  // Each row begins with its filter: none.
  const row = Buffer.alloc(1 + iconSize * 3);
  for (let x = 0; x < iconSize; x += 1) row.set([red, green, blue], 1 + x * 3);
  const pixels = Buffer.concat(Array.from({ length: iconSize }, () => row));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
