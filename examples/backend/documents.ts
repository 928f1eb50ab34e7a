/** A document database of the portal, by its key. The key is for servers: whoever has it reads and writes everything. */
export interface Documents {
  /** Makes the collection unless it is there. */
  prepare(collection: string): Promise<void>;
  /** Stores a document under its id, in place of the one that is there. */
  put(collection: string, id: string, document: object): Promise<void>;
  /** The first documents in an order, such as `-score`. */
  first(collection: string, sort: string, count: number): Promise<unknown>;
}

export class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(`The portal answered ${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

export function openDocuments(portalUrl: string, db: string, apiKey: string): Documents {
  async function call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const reply = await fetch(new URL(`/api/v2/${db}/collection${path}`, portalUrl), {
      method,
      headers: { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    });
    const answer: Record<string, unknown> = Object(await reply.json());
    if (!reply.ok) throw new Refused(reply.status, String(answer['code']));
    return answer;
  }

  return {
    async prepare(collection) {
      await call('POST', '', { name: collection }).catch((error: unknown) => {
        if (!(error instanceof Refused && error.code === 'E40029')) throw error;
      });
    },
    async put(collection, id, document) {
      await call('PUT', `/${collection}/documents/${encodeURIComponent(id)}`, document);
    },
    async first(collection, sort, count) {
      const query = new URLSearchParams({ sort, per_page: String(count) });
      const { documents } = await call('GET', `/${collection}/documents?${query}`);
      return documents;
    },
  };
}
