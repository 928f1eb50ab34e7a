import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import { admits, type RouteContract } from '@portal/contracts';
import { asyncApiDocument, openApiDocument } from '@portal/contracts/documents';
import type { FastifyInstance } from 'fastify';
import { pageHeaders } from './headers.ts';

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Haishin Portal API</title>
    <link rel="icon" href="/logo.svg" type="image/svg+xml" />
  </head>
  <body>
    <div id="reference"></div>
    <script src="/docs/reference.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** Nothing that leads to a service of others: no fonts, no telemetry, no assistants, no hosting. */
const start = `Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
});
`;

interface Content {
  readonly etag: string;
  /** By content coding; `identity` is as it is. */
  readonly bytes: Readonly<Record<Coding, Buffer>>;
}
type Coding = 'br' | 'gzip' | 'identity';

const codings: Coding[] = ['br', 'gzip', 'identity'];
/** Near the best at a tenth of its time: the page to read the contracts is of megabytes. */
const brotliQuality = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

async function contentOf(source: string | Buffer): Promise<Content> {
  const identity = Buffer.from(source);
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(identity, brotliQuality),
    promisify(gzip)(identity),
  ]);
  const etag = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  return { etag, bytes: { br, gzip: gzipped, identity } };
}

/**
 * The generated contracts, and a page to read and try them that loads nothing from elsewhere. Each is compressed once, when
 * it is first requested; a client that has it gets a 304.
 */
export function serveDocuments(app: FastifyInstance, routes: readonly RouteContract[]): void {
  // The package names no entry for its one-file build.
  const packageEntry = createRequire(import.meta.url).resolve('@scalar/api-reference');
  const referencePath = join(dirname(packageEntry), 'browser', 'standalone.js');

  const serve = (url: string, contentType: string, source: () => string | Promise<Buffer>) => {
    let content: Promise<Content> | undefined;
    app.get(url, async (request, reply) => {
      content ??= Promise.resolve(source()).then(contentOf);
      const { bytes, etag } = await content;
      const coding =
        codings.find((one) => one === negotiate(request.headers['accept-encoding'] ?? '', codings)) ??
        'identity';
      const tag = `"${etag}-${coding}"`;
      for (const [name, value] of pageHeaders()) reply.header(name, value);
      reply.headers({ 'cache-control': 'no-cache', etag: tag, vary: 'accept-encoding' });
      if (request.headers['if-none-match'] === tag) return reply.status(304).send();
      if (coding !== 'identity') reply.header('content-encoding', coding);
      return reply.type(contentType).send(bytes[coding]);
    });
  };

  serve('/openapi.json', 'application/json; charset=utf-8', () =>
    JSON.stringify(openApiDocument(routes.filter((route) => !admits(route, 'internal')))),
  );
  serve('/asyncapi.json', 'application/json; charset=utf-8', () => JSON.stringify(asyncApiDocument()));
  serve('/docs', 'text/html; charset=utf-8', () => page);
  serve('/docs/start.js', 'text/javascript; charset=utf-8', () => start);
  serve('/docs/reference.js', 'text/javascript; charset=utf-8', () => readFile(referencePath));
}
