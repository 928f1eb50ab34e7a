import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { formatDateTime, pathsOf, type RouteContract } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import type { FastifyInstance } from 'fastify';
import { pageHeaders } from './headers.ts';

const foreverSeconds = 31_536_000;

/**
 * Serves the web client: assets, whose names change with their content, for ever; the page itself never from a cache.
 * Every address that is not data is the page, so that each screen can be reloaded and bookmarked.
 */
export async function serveWebClient(
  app: FastifyInstance,
  options: {
    directory: string | undefined;
    routes: readonly RouteContract[];
    /** Where clients reach the store, if not here. */
    storageUrl?: string | undefined;
  },
): Promise<void> {
  const { directory } = options;
  const headers = pageHeaders(options.storageUrl);
  const version = await versionOf(directory);
  app.get('/version.json', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return version;
  });

  const dataRoots = new Set([
    ...options.routes.flatMap(pathsOf).map((path) => path.split('/')[1] ?? ''),
    'api',
    'dev',
    'internal',
    'storage',
  ]);

  if (directory) {
    await app.register(fastifyStatic, {
      root: directory,
      // Only `sendFile` below and the wildcard of the assets; the page has its own headers.
      serve: true,
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders(response, path) {
        const hashed = path.includes(join('/', 'assets'));
        response.header(
          'cache-control',
          hashed ? `public, max-age=${foreverSeconds}, immutable` : 'no-cache',
        );
        for (const [name, value] of headers) response.header(name, value);
      },
    });
  }

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    const looksLikeFile = path.startsWith('/assets/') || /\.\w+$/.test(path);
    if (!directory || !isPage || looksLikeFile || dataRoots.has(path.split('/')[1] ?? '')) {
      throw new AppError('E40401');
    }
    return reply.sendFile('index.html');
  });
}

/** The version is what the page's content is: another build that changes nothing reloads nobody. */
async function versionOf(directory: string | undefined): Promise<{ version: string; built_at: string }> {
  if (!directory) return { version: 'development', built_at: formatDateTime(new Date(0)) };
  const page = join(directory, 'index.html');
  return {
    version: createHash('sha256')
      .update(await readFile(page))
      .digest('hex')
      .slice(0, 16),
    built_at: formatDateTime((await stat(page)).mtime),
  };
}
