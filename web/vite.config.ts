import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { access } from './build/access.ts';
import { measureFirstLoad } from './build/first-load.ts';
import { listModules } from './build/modules.ts';
import { precompress } from './build/precompress.ts';
import { stampVersion } from './build/stamp-version.ts';

const backend = 'http://127.0.0.1:8080';
const backendPaths = [
  '/v1',
  '/v2',
  '/api',
  '/.well-known',
  '/storage',
  '/version.json',
  '/dev',
  '/docs',
  '/openapi.json',
];

/**
 * The libraries of every page: they change less often than our own code, so browsers keep them. What zod is told before the
 * first schema is among them, because files run one after another.
 */
const vendor =
  /web\/src\/lib\/zod-without-eval\.ts$|node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@chakra-ui|@ark-ui|@emotion|@pandacss|stylis|@tanstack|i18next|react-i18next|zod|react-hook-form)\//;

/** The sign-in, the frame and the first screen: with all that they import they are one file. */
const firstScreens = /\/web\/src\/(main|features\/(admin|partner)\/auth\/login-page)\.tsx$/;

/** What several areas share, and the calls of one service. */
const shared = /\/web\/src\/(?:components|lib|ui)\/(?:(\w+)\/)?/;
const calls = /\/packages\/contracts\/src\/routes\/([\w-]+)\.ts$/;

/** A file for each folder or file that `pattern` names, instead of crumbs that a few screens happen to share. */
const each = (pattern: RegExp, prefix: string) => ({
  name: (id: string) => `${prefix}-${pattern.exec(id)?.[1] ?? 'common'}`,
  debugName: prefix,
  test: pattern,
});

export default defineConfig({
  plugins: [react(), access(), stampVersion(), precompress(), listModules(), measureFirstLoad()],
  build: {
    target: 'es2022',
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'vendor', test: vendor, priority: 2 },
            { name: 'frame', test: firstScreens, priority: 1 },
            each(shared, 'parts'),
            each(calls, 'calls'),
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(backendPaths.map((path) => [path, { target: backend, xfwd: true }])),
  },
});
