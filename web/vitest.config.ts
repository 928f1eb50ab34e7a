import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { access } from './build/access.ts';

export default defineConfig({
  plugins: [react(), access()],
  test: {
    name: 'web',
    root: import.meta.dirname,
    // The files that run in one process share its loaded modules; `test/setup.ts` clears what they leave.
    isolate: false,
    maxWorkers: 2,
    // With V8's usual young generation a tenth of the time goes into emptying it.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    // On a loaded machine; what is waited for ends a wait sooner.
    testTimeout: 30_000,
    environment: 'happy-dom',
    environmentOptions: { happyDOM: { url: 'http://portal.test/', width: 1440, height: 900 } },
    setupFiles: ['test/setup.ts'],
    include: ['{src,test}/**/*.test.{ts,tsx}'],
  },
});
