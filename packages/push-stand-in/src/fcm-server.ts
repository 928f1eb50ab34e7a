import { createPublicKey, generateKeyPair, randomUUID } from 'node:crypto';
import { createSecureServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { promisify } from 'node:util';
import { importSPKI, jwtVerify } from 'jose';
import { z } from 'zod';
import type { Authority } from './authority.ts';
import { type Answer, type Conduct, misbehave, send, streamWire, type Wire } from './conduct.ts';
import { createListener, type Listener } from './listener.ts';
import type { TakenPush } from './taken-push.ts';

/** The JSON of a key that Google gives for a service account. */
export interface ServiceAccount {
  readonly type: 'service_account';
  readonly project_id: string;
  readonly private_key_id: string;
  readonly private_key: string;
  readonly client_email: string;
  readonly token_uri: string;
}

export interface FcmOptions {
  readonly authority: Authority;
  /** 0 chooses a free one. */
  readonly port?: number;
  /** How long a token is good for, in seconds. */
  readonly tokenSeconds?: number;
  /** Is told of each message that is taken, before its sender is. */
  readonly onPush?: (push: TakenPush) => void | Promise<void>;
  /** What happens to a message that is fit to be taken; undefined: it is taken. */
  readonly conduct?: (push: TakenPush) => Conduct | undefined | Promise<Conduct | undefined>;
  /** What happens to a call for a token; undefined: it gets one, if its signature is right. */
  readonly tokenConduct?: () => Conduct | undefined;
}

export interface FcmServer extends Listener {
  /** Makes a service account of a project, and knows it from now on. */
  addAccount(projectId: string): Promise<ServiceAccount>;
  /** Knows a service account from now on, by its public key. */
  knowAccount(account: Pick<ServiceAccount, 'client_email' | 'private_key' | 'project_id'>): void;
  /** From now on no token is good that was given until now. */
  expireTokens(): void;
  /** How many tokens were given. */
  readonly tokensGiven: () => number;
}

const scope = 'https://www.googleapis.com/auth/firebase.messaging';
const tokenPath = '/token';
/** What Google's own library signs for, wherever its request goes. */
const googleTokenUrl = 'https://oauth2.googleapis.com/token';
const mostBytes = 4_096;
/** Of a whole call: the limit of FCM is of what the message says. */
const mostBodyBytes = 65_536;
const sendPath = /^\/v1\/projects\/([^/]+)\/messages:send$/;

const text = z.string();
const callSchema = z.strictObject({
  validate_only: z.boolean().optional(),
  message: z.strictObject({
    token: text.min(1),
    notification: z
      .strictObject({ title: text.optional(), body: text.optional(), image: text.optional() })
      .optional(),
    data: z.record(text, text).optional(),
    android: z
      .strictObject({
        collapse_key: text.optional(),
        priority: z.enum(['NORMAL', 'HIGH', 'normal', 'high']).optional(),
        ttl: text.regex(/^\d+(\.\d+)?s$/).optional(),
        notification: z.looseObject({ tag: text.optional() }).optional(),
      })
      .optional(),
  }),
});

interface Call {
  readonly method: string | undefined;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** A service account with a key of its own, which only servers know that are told of it. */
export async function createServiceAccount(projectId: string): Promise<ServiceAccount> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return {
    type: 'service_account',
    project_id: projectId,
    private_key_id: randomUUID().replaceAll('-', ''),
    private_key: privateKey,
    client_email: `stand-in-${randomUUID().slice(0, 8)}@${projectId}.iam.gserviceaccount.com`,
    token_uri: googleTokenUrl,
  };
}

/** Speaks the HTTP v1 protocol of Firebase Cloud Messaging, and gives the tokens for it. */
export async function startFcmServer(options: FcmOptions): Promise<FcmServer> {
  const { authority, port = 0, tokenSeconds = 3_600 } = options;
  const { certificate, privateKey } = await authority.forServer();
  const server = createSecureServer({
    cert: certificate,
    key: privateKey,
    settings: { maxConcurrentStreams: 100 },
    maxSessionMemory: 64,
  });
  const accounts = new Map<string, { readonly projectId: string; readonly publicKey: string }>();
  const tokens = new Map<string, { readonly projectId: string; readonly endsAt: number }>();
  let given = 0;

  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) =>
    serve(stream, {
      method: headers[':method'],
      path: headers[':path'] ?? '',
      authorization: headers.authorization,
    }),
  );
  const listener = await createListener(server, port);
  const knowAccount: FcmServer['knowAccount'] = ({
    client_email: email,
    private_key,
    project_id: projectId,
  }) => {
    const publicKey = createPublicKey(private_key).export({ type: 'spki', format: 'pem' }).toString();
    accounts.set(email, { projectId, publicKey });
  };

  function serve(stream: ServerHttp2Stream, call: Omit<Call, 'body'>): void {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const wire = streamWire(stream);
    // A client that goes away in the middle, say; the next request shows what is lasting.
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= mostBodyBytes) chunks.push(chunk);
    });
    stream.once('end', () => {
      const body = bytes > mostBodyBytes ? '' : Buffer.concat(chunks).toString();
      answer(wire, { ...call, body }).catch(() => wire.drop());
    });
  }

  async function answer(wire: Wire, call: Call): Promise<void> {
    if (call.path === tokenPath && call.method === 'POST') {
      const how = options.tokenConduct?.();
      if (how) return how.kind === 'refuse' ? send(wire, tokenRefusal(how)) : misbehave(wire, how);
      return send(wire, await giveToken(call.body));
    }
    const project = sendPath.exec(call.path)?.[1];
    if (project === undefined || call.method !== 'POST') return send(wire, refusal(404, 'NOT_FOUND'));
    const allowed = projectOf(call.authorization);
    if (allowed === undefined) return send(wire, refusal(401, 'UNAUTHENTICATED'));
    if (allowed !== project) return send(wire, refusal(403, 'PERMISSION_DENIED'));
    const push = readCall(call.body);
    if (!push) return send(wire, fcmRefusal({ status: 400, reason: 'INVALID_ARGUMENT' }));
    const how = await options.conduct?.(push);
    if (!how) {
      await options.onPush?.(push);
      return send(wire, json(200, { name: `projects/${project}/messages/${randomUUID()}` }));
    }
    return how.kind === 'refuse' ? send(wire, fcmRefusal(how)) : misbehave(wire, how);
  }

  function projectOf(authorization = ''): string | undefined {
    const token = tokens.get(/^Bearer (\S+)$/i.exec(authorization)?.[1] ?? '');
    return token && token.endsAt > Date.now() ? token.projectId : undefined;
  }

  async function giveToken(form: string): Promise<Answer> {
    const fields = new URLSearchParams(form);
    const assertion = fields.get('assertion') ?? '';
    const email = unverifiedIssuer(assertion);
    const account = accounts.get(email ?? '');
    if (fields.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer' || !account) {
      return tokenRefusal({ status: 400, reason: 'invalid_grant' });
    }
    try {
      const { payload } = await jwtVerify(assertion, await importSPKI(account.publicKey, 'RS256'), {
        algorithms: ['RS256'],
        audience: [googleTokenUrl, listener.url + tokenPath],
        maxTokenAge: '1h',
      });
      if (!String(payload['scope']).split(' ').includes(scope)) {
        return tokenRefusal({ status: 400, reason: 'invalid_scope' });
      }
    } catch {
      return tokenRefusal({ status: 400, reason: 'invalid_grant' });
    }
    const token = randomUUID();
    const now = Date.now();
    for (const [known, { endsAt }] of tokens) if (endsAt <= now) tokens.delete(known);
    tokens.set(token, { projectId: account.projectId, endsAt: now + tokenSeconds * 1_000 });
    given += 1;
    return json(200, { access_token: token, expires_in: tokenSeconds, token_type: 'Bearer' });
  }

  return {
    ...listener,
    async addAccount(projectId) {
      const account = { ...(await createServiceAccount(projectId)), token_uri: listener.url + tokenPath };
      knowAccount(account);
      return account;
    },
    knowAccount,
    expireTokens: () => tokens.clear(),
    tokensGiven: () => given,
  };
}

function readCall(body: string): TakenPush | undefined {
  let call: z.output<typeof callSchema> | undefined;
  try {
    call = callSchema.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
  if (!call || Buffer.byteLength(JSON.stringify({ ...call.message, token: '' })) > mostBytes)
    return undefined;
  const { android, data, notification, token } = call.message;
  const collapseKey = android?.collapse_key ?? null;
  return {
    service: 'fcm',
    token,
    title: notification?.title ?? null,
    message: notification?.body ?? '',
    json: data?.['json'] ?? null,
    id: collapseKey ?? randomUUID(),
    collapseKey,
    receivedAt: new Date(),
  };
}

const json = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
  body: JSON.stringify(body),
});

const canonical: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

/** Of Google's API, before FCM has looked at the message. */
function refusal(status: number, state: string): Answer {
  return json(status, { error: { code: status, message: 'Refused', status: state } });
}

/** With the error of FCM in the details. */
function fcmRefusal({
  reason,
  retryAfter,
  status,
}: Pick<Conduct & { kind: 'refuse' }, 'reason' | 'retryAfter' | 'status'>): Answer {
  const details = [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode: reason }];
  return json(
    status,
    { error: { code: status, message: 'Refused', status: canonical[status] ?? 'UNKNOWN', details } },
    retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  );
}

function tokenRefusal({ reason, status }: { readonly status: number; readonly reason: string }): Answer {
  return json(status, { error: reason, error_description: 'Refused' });
}

function unverifiedIssuer(jwt: string): string | undefined {
  try {
    const claims = z
      .object({ iss: z.string() })
      .safeParse(JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()));
    return claims.data?.iss;
  } catch {
    return undefined;
  }
}
