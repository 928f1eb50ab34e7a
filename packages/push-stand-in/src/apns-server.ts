import { createSecureServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { z } from 'zod';
import type { Authority } from './authority.ts';
import { type Answer, type Conduct, misbehave, send, streamWire, type Wire } from './conduct.ts';
import { createListener, type Listener } from './listener.ts';
import type { TakenPush } from './taken-push.ts';

export interface ApnsOptions {
  readonly authority: Authority;
  /** 0 chooses a free one. */
  readonly port?: number;
  /** Is told of each notification that is taken, before its sender is. */
  readonly onPush?: (push: TakenPush) => void | Promise<void>;
  /** Takes clients with a certificate of whatever authority. */
  readonly trustsEveryone?: boolean;
  /** What happens to a notification that is fit to be taken; undefined: it is taken. */
  readonly conduct?: (push: TakenPush) => Conduct | undefined | Promise<Conduct | undefined>;
}

const mostBytes = 4_096;
const mostCollapseBytes = 64;
/** As many as Apple's servers allow. */
const mostStreams = 1_000;

const payloadSchema = z.looseObject({
  aps: z.looseObject({
    alert: z.union([z.string(), z.looseObject({ title: z.string().optional(), body: z.string() })]),
  }),
  json: z.string().optional(),
});
const isUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const isToken = /^[0-9a-f]{64,200}$/i;
const pathOfDevice = /^\/3\/device\/([^/]*)$/;

/** Speaks the protocol of Apple's push notification service, with certificates. */
export async function startApnsServer(options: ApnsOptions): Promise<Listener> {
  const { authority, port = 0, trustsEveryone = false } = options;
  const { certificate, privateKey } = await authority.forServer();
  const server = createSecureServer({
    cert: certificate,
    key: privateKey,
    ca: authority.certificate,
    requestCert: true,
    rejectUnauthorized: !trustsEveryone,
    settings: { maxConcurrentStreams: mostStreams },
    maxSessionMemory: 64,
  });
  server.on('session', (session) => {
    const topic = topicOf(session.socket);
    session.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      // A client that goes away in the middle, say; the next request shows what is lasting.
      stream.on('error', () => undefined);
      const chunks: Buffer[] = [];
      let bytes = 0;
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= mostBytes) chunks.push(chunk);
      });
      stream.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        answer(streamWire(stream), read({ headers, text, bytes, topic }), options).catch(() =>
          stream.destroy(),
        );
      });
    });
  });
  return createListener(server, port);
}

/** The app that the client's certificate is for. */
function topicOf(socket: Socket): string | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const subject: Readonly<Record<string, unknown>> = { ...socket.getPeerCertificate().subject };
  const topic = subject['UID'];
  return typeof topic === 'string' ? topic : undefined;
}

type Read = { readonly push: TakenPush } | { readonly refusal: Answer; readonly id?: string };

function read(request: {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: number;
  readonly topic: string | undefined;
}): Read {
  const { bytes, headers, text, topic } = request;
  const header = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  const id = header('apns-id') ?? crypto.randomUUID().toUpperCase();
  const refuse = (status: number, reason: string): Read => ({ refusal: refusal(id, { status, reason }) });

  if (headers[':method'] !== 'POST') return refuse(405, 'MethodNotAllowed');
  const token = pathOfDevice.exec(headers[':path'] ?? '')?.[1];
  if (token === undefined) return refuse(404, 'BadPath');
  if (token === '') return refuse(400, 'MissingDeviceToken');
  if (!isToken.test(token)) return refuse(400, 'BadDeviceToken');
  if (topic === undefined) return refuse(403, 'BadCertificate');
  const wanted = header('apns-topic');
  if (wanted === undefined) return refuse(400, 'MissingTopic');
  if (wanted !== topic) return refuse(400, 'TopicDisallowed');
  if (!isUuid.test(id)) return refuse(400, 'BadMessageId');
  const collapseKey = header('apns-collapse-id') ?? null;
  if (collapseKey !== null && Buffer.byteLength(collapseKey) > mostCollapseBytes) {
    return refuse(400, 'BadCollapseId');
  }
  const priority = header('apns-priority');
  if (priority !== undefined && !['1', '5', '10'].includes(priority)) return refuse(400, 'BadPriority');
  if (!/^\d*$/.test(header('apns-expiration') ?? '')) return refuse(400, 'BadExpirationDate');
  if (header('apns-push-type') !== 'alert') return refuse(400, 'InvalidPushType');
  if (bytes === 0) return refuse(400, 'PayloadEmpty');
  if (bytes > mostBytes) return refuse(413, 'PayloadTooLarge');
  const payload = readPayload(text);
  if (!payload) return refuse(400, 'PayloadEmpty');

  const { alert } = payload.aps;
  return {
    push: {
      service: 'apns',
      token,
      title: typeof alert === 'string' ? null : (alert.title ?? null),
      message: typeof alert === 'string' ? alert : alert.body,
      json: payload.json ?? null,
      id,
      collapseKey,
      receivedAt: new Date(),
    },
  };
}

function readPayload(text: string): z.output<typeof payloadSchema> | undefined {
  try {
    return payloadSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

async function answer(wire: Wire, read: Read, { conduct, onPush }: ApnsOptions): Promise<void> {
  if ('refusal' in read) return send(wire, read.refusal);
  const { push } = read;
  const how = await conduct?.(push);
  if (!how) {
    await onPush?.(push);
    return send(wire, { status: 200, headers: { 'apns-id': push.id }, body: '' });
  }
  return how.kind === 'refuse' ? send(wire, refusal(push.id, how)) : misbehave(wire, how);
}

function refusal(
  id: string,
  { reason, retryAfter, status, timestamp }: Omit<Conduct & { kind: 'refuse' }, 'kind'>,
): Answer {
  return {
    status,
    headers: {
      'apns-id': id,
      'content-type': 'application/json',
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    },
    body: JSON.stringify({ reason, ...(timestamp !== undefined && { timestamp }) }),
  };
}
