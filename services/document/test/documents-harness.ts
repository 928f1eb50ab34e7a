import type { Actor } from '@portal/testing';
import { expect } from 'vitest';
import { type DocumentHarness, startDocumentHarness, type TestPartner } from './document-harness.ts';

/** How a call is made: with a token, or with the key of a database. */
export type Credentials = { readonly actor: Actor } | { readonly key: string } | Record<string, never>;

export interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly query?: Readonly<Record<string, string | number>>;
  /** A text or bytes go as they are, all else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  /** As it is on the wire. */
  readonly body: ReplyBody;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
}
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a test expects of it, the test says
type ReplyBody = any;

export interface TestTenant extends TestPartner {
  /** The name of its database. */
  readonly db: string;
  readonly key: string;
  /** Calls `/api/v2/{db}/collection…` of this tenant, with its key unless told. */
  send(path: string, sent?: Sent, credentials?: Credentials): Promise<Reply>;
  /** Makes a collection and gives the path of it. */
  collection(name?: string): Promise<string>;
}

export interface DocumentsHarness extends DocumentHarness {
  tenant(options?: { contractStatus?: 1 | 2; expireDate?: string }): Promise<TestTenant>;
  /** Calls any address. */
  at(url: string, sent?: Sent, credentials?: Credentials): Promise<Reply>;
}

export async function startDocumentsHarness(env: Record<string, string> = {}): Promise<DocumentsHarness> {
  const harness = await startDocumentHarness({ env });

  async function at(url: string, sent: Sent = {}, credentials: Credentials = {}): Promise<Reply> {
    const { body, headers, method = 'GET', query } = sent;
    const search = query
      ? `?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`
      : '';
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const payload = Buffer.from(isRaw ? body : JSON.stringify(body ?? null));
    const reply = await harness.service.app.inject({
      method,
      url: `${url}${search}`,
      headers: {
        'accept-language': 'en',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...('actor' in credentials && { authorization: `Bearer ${await harness.token(credentials.actor)}` }),
        ...('key' in credentials && { 'x-api-key': credentials.key }),
        ...headers,
      },
      ...(body !== undefined && { payload }),
    });
    const isJson = String(reply.headers['content-type']).startsWith('application/json');
    return {
      status: reply.statusCode,
      body: isJson ? JSON.parse(reply.payload) : undefined,
      text: reply.payload,
      headers: reply.headers,
    };
  }

  return {
    ...harness,
    at,
    async tenant(contract = {}) {
      const { apiKey: key, ...tenant } = await harness.partnerWithDatabase(contract);
      const send = async (path: string, sent?: Sent, credentials: Credentials = { key }) =>
        at(`/api/v2/${tenant.db}/collection${path}`, sent, credentials);
      let collections = 0;
      return {
        ...tenant,
        key,
        send,
        async collection(given) {
          collections += 1;
          const name = given ?? `c${collections}`;
          expect((await send('', { method: 'POST', body: { name } })).status).toBe(201);
          return `/${name}`;
        },
      };
    },
  };
}

/** The status and code of a refusal, and the fields at fault. */
export const refusal = ({ body, status }: Reply): readonly (number | string)[] => [
  status,
  body?.code,
  ...(body?.errors ?? []).map(({ field }: { field: string }) => field),
];
