import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from 'node:http2';
import type { PushServiceName } from '@portal/contracts';
import { importPKCS8, SignJWT } from 'jose';
import { z } from 'zod';

export interface PushServers {
  readonly ca: string;
  readonly apnsUrl: string;
  readonly fcmUrl: string;
  readonly account: {
    readonly client_email: string;
    readonly private_key: string;
    readonly token_uri: string;
  };
  readonly app: { readonly certificate: string; readonly privateKey: string };
}

/** What a benchmark's notification says. */
export const pushContent = {
  title: 'Bench',
  message: 'A message of the usual length for a push notification.',
};
const collapseKey = '100000';
const text = z.string();
/** What the servers, like the real ones, allow a connection. */
const streamsOfConnection = { apns: 1_000, fcm: 100 };

/**
 * Requests a second of a client that does nothing else, with so many in flight. It sends what the product sends: the same headers,
 * a token and an id of its own in each, over as many connections as the server asks for; and reads each answer.
 */
export async function bareRate(
  servers: PushServers,
  service: PushServiceName,
  { count, inFlight }: { readonly count: number; readonly inFlight: number },
): Promise<number> {
  const isApns = service === 'apns';
  const { app, ca } = servers;
  const sessions = Array.from({ length: Math.ceil(inFlight / streamsOfConnection[service]) }, () =>
    connect(isApns ? servers.apnsUrl : servers.fcmUrl, {
      ca,
      ...(isApns && { cert: app.certificate, key: app.privateKey }),
    }),
  );
  const [first] = sessions;
  if (!first) throw new Error('None in flight');
  const send = isApns ? apnsSender() : await fcmSender(first, servers);
  try {
    for (const session of sessions) await send(session, 0);
    const begun = performance.now();
    let next = 0;
    await Promise.all(
      Array.from({ length: inFlight }, async (_, n) => {
        const session = sessions[n % sessions.length] ?? first;
        while (next < count) {
          next += 1;
          await send(session, next);
        }
      }),
    );
    return count / ((performance.now() - begun) / 1_000);
  } finally {
    for (const session of sessions) session.close();
  }
}

type Send = (session: ClientHttp2Session, number: number) => Promise<unknown>;

const tokenOf = (number: number) => number.toString(16).padStart(64, '0');

function apnsSender(): Send {
  const { message, title } = pushContent;
  const body = JSON.stringify({ aps: { alert: { title, body: message }, sound: 'default' } });
  return async (session, number) =>
    request(
      session,
      {
        ':path': `/3/device/${tokenOf(number)}`,
        'apns-priority': '10',
        'apns-id': crypto.randomUUID(),
        'apns-collapse-id': collapseKey,
        'apns-topic': 'com.example.bench',
        'apns-push-type': 'alert',
      },
      body,
    );
}

async function fcmSender(session: ClientHttp2Session, servers: PushServers): Promise<Send> {
  const authorization = `Bearer ${await accessToken(session, servers)}`;
  const { message, title } = pushContent;
  const [before = '', after = ''] = JSON.stringify({
    message: {
      token: '%',
      notification: { title, body: message },
      android: { collapse_key: collapseKey, priority: 'HIGH', notification: { tag: collapseKey } },
    },
  }).split('%');
  return async (on, number) => {
    const body = `${before}${tokenOf(number)}${after}`;
    const headers = {
      ':path': '/v1/projects/bench/messages:send',
      authorization,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    };
    const answer: { name?: unknown } = JSON.parse(await request(on, headers, body));
    if (typeof answer.name !== 'string') throw new Error('No answer of FCM');
  };
}

async function request(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':method': 'POST', ...headers });
    let status = 0;
    let answer = '';
    stream.setEncoding('utf8');
    stream.on('response', (answered) => {
      status = answered[':status'] ?? 0;
    });
    stream.on('data', (chunk: string) => {
      answer += chunk;
    });
    stream.on('end', () => (status === 200 ? resolve(answer) : reject(new Error(`${status} ${answer}`))));
    stream.on('error', reject);
    stream.end(body);
  });
}

async function accessToken(session: ClientHttp2Session, { account }: PushServers): Promise<string> {
  const assertion = await new SignJWT({ scope: 'https://www.googleapis.com/auth/firebase.messaging' })
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer(account.client_email)
    .setAudience(account.token_uri)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(await importPKCS8(account.private_key, 'RS256'));
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion,
  });
  const answer = await request(
    session,
    { ':path': '/token', 'content-type': 'application/x-www-form-urlencoded' },
    form.toString(),
  );
  return z.object({ access_token: text }).parse(JSON.parse(answer)).access_token;
}
