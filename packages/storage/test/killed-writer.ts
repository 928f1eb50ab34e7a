// A process that stores one part, tells so, begins more and waits to be killed. Its argument is the directory.
import { PassThrough, Readable } from 'node:stream';
import { systemClock } from '@portal/kernel';
import { createLocalDiskStorage, createUrlSigner } from '../src/index.ts';

const clock = systemClock();
const signer = createUrlSigner({ publicUrl: 'http://127.0.0.1', secret: Buffer.alloc(32), clock });
const storage = await createLocalDiskStorage({ directory: process.argv[2] ?? '', clock, signer });

const upload = await storage.createMultipart('crash/parts', { size: 250, partSize: 100 });
const part = await storage.putPart(upload, 2, Readable.from([Buffer.alloc(100, 'b')]));
await storage.putPart(upload, 3, Readable.from([Buffer.alloc(50, 'x')]));
const last = await storage.putPart(upload, 3, Readable.from([Buffer.alloc(50, 'c')]));

const endless = () => {
  const body = new PassThrough();
  body.write(Buffer.alloc(60, 'z'));
  return body;
};
void storage.putPart(upload, 1, endless());
void storage.putPart(upload, 2, endless());
void storage.put('crash/single', endless());
setTimeout(() => process.stdout.write(`${JSON.stringify({ upload, parts: [part, last] })}\n`), 200);
setInterval(() => {}, 1000);
