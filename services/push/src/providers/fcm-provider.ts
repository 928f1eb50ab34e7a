import { JWT } from 'google-auth-library';
import { z } from 'zod';
import { type FcmAnswer, fcmOutcome, reasonOf, reasons } from './domain/outcomes.ts';
import { fcmBody, fcmMessage, type PushText, saysTheSame } from './domain/payload.ts';
import { createHttp2Pool, type Http2Answer, NoAnswer } from './http2-pool.ts';
import { defaultRequestMs, type ProviderSettings, type PushOutcome, type PushProvider } from './provider.ts';

/** The parts of a service account's key that sending needs. */
export interface ServiceAccount {
  readonly project_id: string;
  readonly client_email: string;
  readonly private_key: string;
  readonly private_key_id?: string | undefined;
}

const realSender = 'https://fcm.googleapis.com';
const realTokens = 'https://oauth2.googleapis.com';
const tokenPath = '/token';
const scope = 'https://www.googleapis.com/auth/firebase.messaging';
/** Before it ends, a token is replaced while it is still used. */
const renewedBeforeMs = 5 * 60_000;

const text = z.string();
const answerSchema = z.object({
  name: text.optional(),
  error: z
    .object({
      status: text.optional(),
      details: z.array(z.looseObject({ '@type': text, errorCode: text.optional() })).optional(),
    })
    .optional(),
});
const tokenError = z.object({ error: text });
const fcmErrorType = 'type.googleapis.com/google.firebase.fcm.v1.FcmError';

/** Sends by the HTTP v1 protocol of Firebase Cloud Messaging; see docs/decisions/0062. */
export function fcmProvider(account: ServiceAccount, settings: ProviderSettings): PushProvider {
  const { ca, clock, requestMs = defaultRequestMs, url } = settings;
  const path = `/v1/projects/${encodeURIComponent(account.project_id)}/messages:send`;
  const sender = createHttp2Pool({ url: url ?? realSender, ca, requestMs });
  const tokens = createAccessTokens(account, {
    ...settings,
    requestMs,
    pool: url === undefined ? createHttp2Pool({ url: realTokens, requestMs }) : sender,
  });

  let written: { readonly text: PushText; readonly message: string } | undefined;

  /** What a push says, as JSON: once for the many devices that get the same. */
  function messageOf(text: PushText): string {
    if (!written || !saysTheSame(written.text, text))
      written = { text, message: JSON.stringify(fcmMessage(text)) };
    return written.message;
  }

  return {
    async send(push, signal) {
      try {
        const token = tokens.known() ?? (await tokens.current(signal));
        if (typeof token !== 'string') return token;
        const headers = ['authorization', `Bearer ${token}`, 'content-type', 'application/json'];
        const body = fcmBody(push.token, messageOf(push));
        const answer = await sender.post({ path, headers, body }, signal);
        const outcome = fcmOutcome(read(answer), clock.now());
        // Whoever tries again gets a new one.
        if (answer.status === 401 && outcome.kind === 'later') tokens.forget(token);
        return outcome;
      } catch (error) {
        return {
          kind: 'later',
          reason: error instanceof NoAnswer ? error.message : reasons.connectionClosed,
        };
      }
    },
    async close() {
      sender.close();
      tokens.close();
    },
  };
}

function read({ body, retryAfter, status }: Http2Answer): FcmAnswer {
  const { error, name } = parsed(body, answerSchema) ?? {};
  return {
    status,
    retryAfter,
    name,
    error: error && {
      status: error.status,
      errorCode: error.details?.find((detail) => detail['@type'] === fcmErrorType)?.errorCode,
    },
  };
}

function parsed<T>(body: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

interface AccessTokens {
  /** The token that is there already, if it is good for a while. */
  known(): string | undefined;
  /** A token that is good for a while, or why there is none. */
  current(signal: AbortSignal): Promise<string | PushOutcome>;
  /** It is not good any more, whatever its date says. */
  forget(token: string): void;
  close(): void;
}

/**
 * Google's library signs and keeps the tokens. It knows one address for them, which `fetch` below turns to the one that
 * is configured, with our time limit and bounds.
 */
function createAccessTokens(
  account: ServiceAccount,
  {
    clock,
    pool,
    requestMs,
  }: {
    readonly clock: ProviderSettings['clock'];
    readonly pool: ReturnType<typeof createHttp2Pool>;
    readonly requestMs: number;
  },
): AccessTokens {
  /** What the address of the tokens has said at last, other than a token. */
  let lastRefusal: { readonly status: number; readonly error: string | undefined } | undefined;

  async function fetchToken(_: unknown, init?: { readonly body?: unknown }): Promise<Response> {
    const { body, retryAfter, status } = await pool.post({
      path: tokenPath,
      headers: ['content-type', 'application/x-www-form-urlencoded'],
      body: String(init?.body),
    });
    lastRefusal = status === 200 ? undefined : { status, error: parsed(body, tokenError)?.error };
    return new Response(body, {
      status,
      headers: {
        'content-type': 'application/json',
        ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
      },
    });
  }

  const create = () =>
    new JWT({
      email: account.client_email,
      key: account.private_key,
      ...(account.private_key_id !== undefined && { keyId: account.private_key_id }),
      scopes: [scope],
      eagerRefreshThresholdMillis: renewedBeforeMs,
      transporterOptions: { fetchImplementation: fetchToken, timeout: requestMs },
    });
  let client = create();
  /** Is used until it is to be renewed, without asking the library each time. */
  let known: { readonly token: string; readonly until: number } | undefined;

  return {
    known: () => (known && known.until > clock.now().getTime() ? known.token : undefined),
    async current(signal) {
      try {
        const asked = client;
        const { token } = await within(asked.getAccessToken(), requestMs, signal);
        if (!token) return { kind: 'later', reason: reasons.connectionClosed };
        if (asked === client)
          known = { token, until: (client.credentials.expiry_date ?? 0) - renewedBeforeMs };
        return token;
      } catch (error) {
        if (error instanceof NoAnswer) return { kind: 'later', reason: error.message };
        if (!lastRefusal) return { kind: 'later', reason: reasons.connectionClosed };
        const { error: given, status } = lastRefusal;
        const isFinal = status === 400 || status === 401 || status === 403;
        return { kind: isFinal ? 'refused' : 'later', reason: reasonOf(given, status) };
      }
    },
    forget(token) {
      // Of many that learn it at the same time, one asks for a new token.
      if (token !== known?.token) return;
      known = undefined;
      client = create();
    },
    close: () => pool.close(),
  };
}

/** The library tries again by itself; for whoever waits, the time limit holds all the same. */
async function within<T>(work: Promise<T>, ms: number, signal: AbortSignal): Promise<T> {
  const done = new AbortController();
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        const timer = setTimeout(() => reject(new NoAnswer(reasons.timeout)), ms);
        const onAbort = () => reject(new NoAnswer(reasons.stopped));
        signal.addEventListener('abort', onAbort, { signal: done.signal });
        done.signal.addEventListener('abort', () => clearTimeout(timer));
        if (signal.aborted) onAbort();
      }),
    ]);
  } finally {
    done.abort();
  }
}
