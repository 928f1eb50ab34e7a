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
    publicUrl: string;
    /** Where clients reach the store, if not here. */
    storageUrl?: string | undefined;
    version: WebVersion;
  },
): Promise<void> {
  const { directory, version } = options;
  const headers = pageHeaders(options.storageUrl, version.inlineScripts);
  app.get('/version.json', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { version: version.name, built_at: formatDateTime(version.builtAt) };
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
    const home = homeOf(request.headers.host, options.publicUrl);
    return home === undefined ? reply.sendFile('index.html') : reply.redirect(home + request.url, 307);
  });
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Where a page belongs that was asked for by another name of this machine: files and icons are signed for the public address alone,
 * which to a browser is another origin.
 */
function homeOf(host: string | undefined, publicUrl: string): string | undefined {
  const home = new URL(publicUrl);
  const asked = URL.parse(`${home.protocol}//${host}`);
  if (!asked || asked.hostname === home.hostname || asked.port !== home.port) return undefined;
  return loopback.test(asked.hostname) && loopback.test(home.hostname) ? home.origin : undefined;
}

/** The web client that is served. */
export interface WebVersion {
  readonly name: string;
  readonly builtAt: Date;
  /** What stands in its page as scripts of the page itself. */
  readonly inlineScripts: readonly string[];
}

const unbuilt = 'development';

/** Which version the page was built as, and what else the build has written into it. */
export async function versionOf(directory: string | undefined): Promise<WebVersion> {
  if (!directory) return { name: unbuilt, builtAt: new Date(0), inlineScripts: [] };
  const path = join(directory, 'index.html');
  const page = await readFile(path, 'utf8');
  return {
    name: /<meta name="version" content="([^"]+)"/.exec(page)?.[1] ?? unbuilt,
    builtAt: (await stat(path)).mtime,
    inlineScripts: [...page.matchAll(/<script>([^<]*)<\/script>/g)].map(([, text = '']) => text),
  };
}
