import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '@portal/testing/product';
import { expect, test } from 'vitest';

/** A server's memory must not grow with what callers send: neither names that they choose nor other text stays in it. */

const calls = 40;
/** How much memory a process has at the end differs from run to run; a leak shows in every run. */
const tries = 8;
const mebibyte = 1024 ** 2;

/** The resident bytes of a server that got these bodies on its routes, with and without a token. */
async function residentAfter(bodyOf: (call: number, bytes: number) => string): Promise<number> {
  const port = await freePort();
  const server = fork(join(import.meta.dirname, 'memory-process.ts'), [String(port)], {
    execArgv: ['--expose-gc'],
  });
  const ended = once(server, 'exit');
  try {
    const [token] = await once(server, 'message');
    const send = async (path: string, call: number, bytes: number) => {
      const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: bodyOf(call, bytes),
      });
      await reply.arrayBuffer();
      return reply.status;
    };
    for (let call = 0; call < calls; call++) {
      expect([400, 401]).toContain(await send('/v1/admin/login', call, 65_000));
      expect(await send('/v1/signed-in', call, mebibyte - 100)).toBe(200);
    }
    const told = once(server, 'message');
    server.send('tell');
    const [bytes] = await told;
    return Number(bytes);
  } finally {
    server.kill('SIGKILL');
    await ended;
  }
}

const name = (call: number, bytes: number) => `${call}${'_x'.repeat(bytes / 2)}`.slice(0, bytes - 20);

test('When each call has names of its own and a mebibyte, then no more stays of them than of ordinary ones', async () => {
  const more: number[] = [];
  while (more.length < tries && !more.some((mebibytes) => mebibytes < 30)) {
    const control = await residentAfter((call, bytes) => `{"name":"${name(call, bytes)}"}`);
    const attacked = await residentAfter((call, bytes) => `{"${name(call, bytes)}":1}`);
    more.push((attacked - control) / mebibyte);
  }
  expect(Math.min(...more)).toBeLessThan(30);
}, 120_000);
