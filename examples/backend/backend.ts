import { createServer, type IncomingMessage, type Server } from 'node:http';
import { errors } from 'jose';
import { z } from 'zod';
import type { Documents } from './documents.ts';
import { OtherCompany, type User } from './verify-user.ts';

/** The collection with the score of each user; a document has the id of its user. */
export const scores = 'scores';
const maxBody = 1_024;
const scoreBody = z.object({ score: z.number().int().min(0).max(1_000_000) });

/**
 * A small web service of a company, beside its app: the app sends the score of its user and the token of the player; the service
 * checks who the user is, and keeps the score in the document database of the company.
 */
export function createBackend({
  documents,
  verifyUser,
}: {
  readonly documents: Documents;
  readonly verifyUser: (token: string) => Promise<User>;
}): Server {
  async function answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const called = `${request.method} ${request.url}`;
    if (called === 'GET /scores') return { status: 200, body: await documents.first(scores, '-score', 10) };
    if (called !== 'PUT /scores/mine') return { status: 404, body: { message: 'Not found' } };
    const user = await verifyUser(tokenIn(request)).catch((error: unknown) => {
      if (isOfNoUser(error)) return undefined;
      throw error;
    });
    if (!user) return { status: 401, body: { message: 'Not a user of this company' } };
    const parsed = scoreBody.safeParse(await jsonIn(request));
    if (!parsed.success) return { status: 400, body: { message: 'A score is a whole number' } };
    const document = { name: user.name, score: parsed.data.score };
    await documents.put(scores, user.id, document);
    return { status: 200, body: document };
  }

  return createServer((request, response) => {
    answer(request)
      .catch((error: unknown) => {
        console.error(error);
        return { status: 502, body: { message: 'The portal did not answer' } };
      })
      .then(({ body, status }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      )
      .catch(() => response.destroy());
  });
}

/** How `jose` calls it that the portal gave no keys. */
const noKeys = ['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT'];

/** Whether the token is at fault, and not that the portal gave no keys. */
const isOfNoUser = (error: unknown): boolean =>
  (error instanceof errors.JOSEError && !noKeys.includes(error.code)) ||
  error instanceof z.ZodError ||
  error instanceof OtherCompany;

const tokenIn = ({ headers }: IncomingMessage): string =>
  (headers.authorization ?? '').replace(/^bearer /i, '');

/** Undefined for what is no JSON, or too long. */
async function jsonIn(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > maxBody) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}
