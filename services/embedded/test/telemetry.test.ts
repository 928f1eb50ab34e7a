import { randomBytes } from 'node:crypto';
import { demoPassword, send, signIn, uploadFile } from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type OtlpReceiver, type ReceivedPoint, startOtlpReceiver } from './otlp-receiver.ts';
import { connectAsService } from './support.ts';

/** What an operator sees of one upload: from the client's request to what the last consumer does about it. */

let receiver: OtlpReceiver;
let product: Product;
beforeAll(async () => {
  receiver = await startOtlpReceiver();
  product = await startProduct({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_BSP_SCHEDULE_DELAY: '200',
    OTEL_METRIC_EXPORT_INTERVAL: '500',
  });
}, 120_000);
afterAll(async () => {
  await product?.remove();
  await receiver?.close();
});

const content = Buffer.alloc(54_321, 'telemetry');
const traceId = randomBytes(16).toString('hex');
const clientSpan = randomBytes(8).toString('hex');
const headers = { traceparent: `00-${traceId}-${clientSpan}-01` };
const patience = { timeout: 10_000, interval: 100 };

const ofTrace = () => receiver.spans.filter((span) => span.traceId === traceId);
const find = (service: string, name: string, kind: number) =>
  ofTrace().find((span) => span.service === service && span.name === name && span.kind === kind);
const [server, client, producer, consumer] = [2, 3, 4, 5] as const;

/** The single data point of a metric that `service` exported with these attributes. */
function pointOf(metric: string, service: string, attributes: Record<string, unknown> = {}): ReceivedPoint {
  const found = receiver
    .points(metric)
    .filter(
      (point) =>
        point.service === service &&
        Object.entries(attributes).every(([name, value]) => point.attributes[name] === value),
    );
  expect(found, `${metric} of ${service}`).toHaveLength(1);
  return found[0] as ReceivedPoint;
}

let token: string;

test('When a file is uploaded and given to everyone, then that is one connected trace over seven services', async () => {
  // The first token: the service that verifies it fetches the keys from the identity service.
  token = await signIn(product, '1000', 'partner@example.com');
  const file = { partnerId: 1, name: 'Traced', fileName: 'traced.uap', content };
  const id = await uploadFile(product, token, file, headers);
  const body = { group_ids: [0] };
  await send(product, 'PUT', `/v1/partner/partners/1/files/${id}/groups`, { token, headers, body });

  await vi.waitFor(() => {
    expect(find('user', 'process user.keep-group-files', consumer)).toBeDefined();
    expect(find('tenant', 'process tenant.measure-files', consumer)).toBeDefined();
    expect(find('push', 'process push.notify-of-files', consumer)).toBeDefined();
    // The last that is done for the last request.
    const operations = 'process batch.keep-operations';
    expect(ofTrace().filter(({ name }) => name === operations)).toHaveLength(3);
    const known = new Set([clientSpan, ...ofTrace().map(({ spanId }) => spanId)]);
    expect(ofTrace().filter(({ parentSpanId }) => !known.has(parentSpanId ?? ''))).toEqual([]);
  }, patience);

  expect(new Set(ofTrace().map(({ service }) => service))).toEqual(
    new Set(['gateway', 'identity', 'file', 'tenant', 'user', 'batch', 'push']),
  );
  const byId = new Map(ofTrace().map((span) => [span.spanId, span]));
  const causes: string[] = [];
  for (
    let span = ofTrace().find(
      ({ service, name }) => service === 'user' && name === 'INSERT public.group_files',
    );
    span;
    span = byId.get(span.parentSpanId ?? '')
  ) {
    causes.push(`${span.service}: ${span.name}`);
  }
  // Where the events of the demo are due with it, they share a transaction, which is in the trace of none.
  expect(causes.filter((cause) => cause !== 'user: transaction')).toEqual([
    'user: INSERT public.group_files',
    'user: process user.keep-group-files',
    'file: transaction',
    'file: assignGroups',
    'gateway: assignGroups',
    'gateway: assignGroups',
  ]);
  expect(find('file', 'publish file.assigned', producer)?.parentSpanId).toBe(
    find('user', 'process user.keep-group-files', consumer)?.parentSpanId,
  );
  expect(find('gateway', 'storage', server)).toMatchObject({
    parentSpanId: clientSpan,
    attributes: { 'http.route': '/storage/*', 'http.request.method': 'PUT' },
  });
  expect(find('identity', 'jwks', server)).toBeDefined();
  expect(find('file', 'jwks', client)).toBeDefined();
});

test('When spans are sent, then none holds a secret', async () => {
  const told = JSON.stringify(receiver.spans);
  for (const secret of [token, demoPassword, 'signature', 'partner@example.com', 'traced.uap']) {
    expect(told.includes(secret), secret.slice(0, 20)).toBe(false);
  }
});

test('When lines are logged for a request, then they carry the id of its trace', () => {
  const lines = product
    .output()
    .split('\n')
    .filter((line) => line.includes(`"trace_id":"${traceId}"`));
  expect(lines.some((line) => line.includes('"service":"file"'))).toBe(true);
  expect(lines.filter((line) => line.includes('"service":"gateway"'))).toHaveLength(4);
});

test('When a stream of events was open, then its time is not the duration of a request, but refusals of it are', async () => {
  const route = '/v1/partner/notices/stream';
  const reply = await fetch(product.url + route, { headers: { authorization: `Bearer ${token}` } });
  expect(reply.status).toBe(200);
  await reply.body?.cancel();
  await vi.waitFor(() => {
    const spans = receiver.spans.filter(
      ({ attributes, kind }) => kind === server && attributes['http.route'] === route,
    );
    expect(spans.map(({ attributes, service }) => [service, attributes['error.type']]).toSorted()).toEqual([
      ['gateway', undefined],
      ['mail', undefined],
    ]);
  }, patience);
  // Measured later than the stream would have been.
  expect((await send(product, 'GET', route)).status).toBe(401);
  await vi.waitFor(
    () =>
      expect(
        pointOf('http.server.request.duration', 'gateway', { 'http.route': route }).attributes,
      ).toMatchObject({ 'http.response.status_code': 401 }),
    patience,
  );
});

test('When figures are collected, then they say what happened', async () => {
  const { body } = await send(product, 'GET', '/v1/partner/partners/1/files?per_page=1&order_key=id', {
    token,
  });
  const [{ id }] = body.files as [{ id: number }];
  const detail = await send(product, 'GET', `/v1/partner/partners/1/files/${id}`, { token });
  await (await fetch(String(detail.body.signedUrl))).bytes();
  expect((await send(product, 'GET', '/v1/partner/partners/1/files')).status).toBe(401);
  const user = await connectAsService(product, 'user');
  try {
    await user.query(
      `INSERT INTO messaging.inbox (handler, event_id, key, envelope, status, available_at)
       SELECT 'user.keep-partners', gen_random_uuid(), status, jsonb_build_object('time', now() - interval '1 hour'),
         status, now() + interval '1 hour'
       FROM unnest(ARRAY['live', 'live', 'dead']) AS status`,
    );
  } finally {
    await user.end();
  }

  const files = { 'http.request.method': 'POST', 'http.route': '/v2/partner/partners/:pid/files' };
  await vi.waitFor(() => {
    for (const service of ['gateway', 'file']) {
      const created = pointOf('http.server.request.duration', service, {
        ...files,
        'http.response.status_code': 201,
      });
      expect(created.value).toBe(1);
      expect(created.sum).toBeGreaterThan(0.001);
      expect(created.sum).toBeLessThan(10);
    }
    const refused = { 'http.route': '/v1/partner/partners/:pid/files', 'http.response.status_code': 401 };
    expect(pointOf('http.server.request.duration', 'gateway', refused).value).toBe(1);

    expect(pointOf('portal.storage.transfer', 'gateway', { direction: 'upload' }).value).toBe(content.length);
    expect(pointOf('portal.storage.transfer', 'gateway', { direction: 'download' }).value).toBe(
      content.length,
    );

    for (const service of ['tenant', 'identity', 'user', 'file']) {
      expect(pointOf('portal.outbox.depth', service).value).toBe(0);
      expect(pointOf('portal.outbox.age', service).value).toBe(0);
      const used = pointOf('db.client.connection.count', service, { 'db.client.connection.state': 'used' });
      const idle = pointOf('db.client.connection.count', service, { 'db.client.connection.state': 'idle' });
      const { value: max } = pointOf('db.client.connection.max', service);
      expect(used.value + idle.value).toBeGreaterThan(0);
      expect(used.value + idle.value).toBeLessThanOrEqual(max);
      expect(pointOf('db.client.connection.pending_requests', service).value).toBe(0);
    }
    const handled = { handler: 'user.keep-group-files' };
    expect(pointOf('portal.inbox.live', 'user', handled).value).toBe(0);
    const stuck = { handler: 'user.keep-partners' };
    expect(pointOf('portal.inbox.live', 'user', stuck).value).toBe(2);
    expect(pointOf('portal.inbox.dead', 'user', stuck).value).toBe(1);
    expect(pointOf('portal.inbox.age', 'user', stuck).value).toBeCloseTo(3600, -2);

    const delays = ['mean', 'p99', 'max'].map((name) => pointOf(`nodejs.eventloop.delay.${name}`, 'portal'));
    for (const { value } of delays) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThan(5);
    }
  }, patience);
});

test('When the collector is away, then the product works on and stops in good time', async () => {
  await receiver.close();
  expect((await send(product, 'GET', '/v1/partner/partners/1/files', { token })).status).toBe(200);
  const begun = performance.now();
  expect(await product.stop()).toBe(0);
  expect(performance.now() - begun).toBeLessThan(20_000);
});
