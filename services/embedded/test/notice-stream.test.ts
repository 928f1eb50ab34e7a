import { send, signIn } from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** The stream of notices, from an export that becomes ready to the reader, over the gateway of the whole product. */

let product: Product;
let token: string;
beforeAll(async () => {
  product = await startProduct({ RATE_LIMIT: 'on' });
  token = await signIn(product, '1000', 'partner@example.com');
});
afterAll(() => product?.remove());

const path = '/v1/partner/notices/stream';

async function open(bearer: string, lastEventId?: string) {
  const reply = await fetch(product.url + path, {
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
  });
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  /** The ids of the events so far, once there are so many, or the stream has ended. */
  async function ids(count: number): Promise<string[]> {
    for (;;) {
      const found = [...text.matchAll(/^id: (.*)$/gm)].map(([, id = '']) => id);
      if (found.length >= count) return found;
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return found;
      text += value;
    }
  }
  return { reply, ids, text: () => text, close: async () => reader?.cancel() };
}

const exportUsers = async () => send(product, 'POST', '/v1/partner/partners/1/users/csv/batches', { token });

describe('When somebody follows their notices', () => {
  test('then each comes as it is kept, and after a break those that were missed come first', async () => {
    const stream = await open(token);
    expect(stream.reply.status).toBe(200);
    const { body } = await exportUsers();
    const [first = ''] = await stream.ids(1);
    expect(stream.text()).toContain('event: notice\n');
    const data: unknown = JSON.parse(/^data: (.*)$/m.exec(stream.text())?.[1] ?? '');
    expect(data).toMatchObject({
      id: Number(first),
      kind: 'export_ready',
      read: false,
      data: { batch_id: body['id'], export: 'users' },
    });
    await stream.close();
    const waiting = await open(token);
    await exportUsers();
    const [second] = await waiting.ids(1);
    await waiting.close();
    const again = await open(token, first);
    expect(await again.ids(1)).toEqual([second]);
    await again.close();
    const wrong = await send(product, 'GET', path, { token, headers: { 'last-event-id': 'x' } });
    expect(wrong).toMatchObject({
      status: 400,
      body: { code: 'E40002', errors: [{ field: 'last_event_id' }] },
    });
  });

  test('then a session has three streams, and all end with it', async () => {
    const own = await signIn(product, '1000', 'partner@example.com');
    const streams = [await open(own), await open(own), await open(own)];
    const fourth = await open(own);
    expect([fourth.reply.status, fourth.reply.headers.get('retry-after')]).toEqual([429, '30']);
    await send(product, 'POST', '/v1/partner/logout', { token: own });
    const begun = performance.now();
    for (const { ids } of streams) expect(await ids(1)).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});
