import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
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

export default defineConfig({
  plugins: [react(), precompress()],
  build: { target: 'es2022', sourcemap: false, chunkSizeWarningLimit: 800 },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(backendPaths.map((path) => [path, { target: backend, xfwd: true }])),
  },
});
