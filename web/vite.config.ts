import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { listModules } from './build/modules.ts';
import { precompress } from './build/precompress.ts';

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

/** What the first page needs anyway. Heavier libraries stay with the pages that use them. */
const vendor =
  /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@chakra-ui|@ark-ui|@emotion|@pandacss|stylis|@tanstack|i18next|react-i18next|zod|react-hook-form)\//;

export default defineConfig({
  plugins: [react(), precompress(), listModules()],
  build: {
    target: 'es2022',
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // A few chunks that every page needs, instead of a dozen crumbs that the pages happen to share.
        codeSplitting: {
          groups: [
            { name: 'vendor', test: vendor, priority: 2 },
            {
              name: 'parts',
              test: /\/(web\/src\/(ui|lib)|packages\/(contracts|api-client)\/src)\//,
              priority: 1,
            },
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
