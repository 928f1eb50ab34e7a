import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { RouteContract } from '@portal/contracts';
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

/** The generated contracts, and a page to read and try them that loads nothing from elsewhere. */
export function serveDocuments(app: FastifyInstance, routes: readonly RouteContract[]): void {
  const openApi = JSON.stringify(openApiDocument(routes.filter(({ access }) => access.kind !== 'internal')));
  const asyncApi = JSON.stringify(asyncApiDocument());
  // The package names no entry for its one-file build.
  const packageEntry = createRequire(import.meta.url).resolve('@scalar/api-reference');
  const referencePath = join(dirname(packageEntry), 'browser', 'standalone.js');
  let reference: Promise<Buffer> | undefined;

  const serve = (url: string, contentType: string, content: () => Promise<string | Buffer>) =>
    app.get(url, async (_request, reply) => {
      for (const [name, value] of pageHeaders()) reply.header(name, value);
      return reply
        .header('cache-control', 'no-cache')
        .type(contentType)
        .send(await content());
    });

  serve('/openapi.json', 'application/json; charset=utf-8', async () => openApi);
  serve('/asyncapi.json', 'application/json; charset=utf-8', async () => asyncApi);
  serve('/docs', 'text/html; charset=utf-8', async () => page);
  serve('/docs/start.js', 'text/javascript; charset=utf-8', async () => start);
  serve('/docs/reference.js', 'text/javascript; charset=utf-8', async () => {
    reference ??= readFile(referencePath);
    return reference;
  });
}
