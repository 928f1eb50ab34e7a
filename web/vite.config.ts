import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { access } from './build/access.ts';
import { measureFirstLoad } from './build/first-load.ts';
import { listModules } from './build/modules.ts';
import { precompress } from './build/precompress.ts';
import { stampVersion } from './build/stamp-version.ts';
import { withoutDescriptions } from './build/without-descriptions.ts';
import { withoutJsonSchema } from './build/without-json-schema.ts';

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
  /web\/src\/lib\/zod-without-eval\.ts$|node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@chakra-ui|@ark-ui|@emotion|@pandacss|stylis|@tanstack(?!\/(?:query-core|react-query)\/build\/modern\/(?:queriesObserver|useQueries))|i18next|react-i18next|zod|react-hook-form)\//;

/**
 * The sign-in, which is the first screen: with all that it imports it is one file; and the filters of partners,
 * which exports have in common with calls of operators.
 */
const firstScreens =
  /\/web\/(index\.html|src\/(main|features\/(admin|partner)\/auth\/login-page)\.tsx)$|\/contracts\/src\/routes\/partner-filters\.ts$/;

/**
 * The frame of who has signed in with its bell and what waits, the home and the list of files, likewise: over HTTP/1.1 each
 * request counts, and from there most people go on.
 */
const workScreens =
  /\/web\/src\/(?:app\/layouts\/shell|features\/(?:partner\/(?:approvals\/approvals-waiting|home\/home-page|files\/list-page)|notices\/notice-bell))\.tsx$/;

/** Calls that only operators make: the contract of the summary, which the home has, leads to them. */
const ofOperators = /\/packages\/contracts\/src\/(?:events\/tenant|routes\/tenant-\w+)\.ts$/;

/** The other ways to sign in, which the sign-in fetches after its form. */
const waysIn = /\/web\/src\/components\/(?:identity-sign-in|sso-sign-in)\.tsx$/;

/** Calls that few screens make: what describes them costs a phone's start as much as a screen's own code. */
const rareCalls =
  /\/packages\/contracts\/src\/routes\/(?:administrators|applications|calendar|company-admins|databases|documents|sso|sso-tokens)\.ts$/;

/** What all other screens share, with the calls of all services and the icons. */
const shared =
  /\/(?:web\/src\/(?:components(?!\/(?:account|upload|lazy))|lib|ui(?!\/code))|packages\/(?:contracts|api-client)\/src|node_modules\/lucide-react)\//;
/** The editor of JSON, which one screen alone has; and what compares two texts, once somebody saves. */
const code =
  /\/web\/src\/ui\/code\/code-[\w-]+\.tsx?$|node_modules\/(?:@codemirror\/(?!merge)|@lezer|style-mod|w3c-keyname|crelt|@marijn)/;
const codeDifference = /\/web\/src\/ui\/code\/difference\.tsx$|node_modules\/@codemirror\/merge\//;
const feature = /\/web\/src\/features\/(\w+)\/(\w+)\//;
const texts = /\/web\/src\/i18n\/(ja|en)\/([\w-]+)\.ts$/;
const commonTexts = ['ui', 'shell', 'auth', 'second-step', 'sso-sign-in'];
/** Those of the home, the list of files and the bell. */
const workTexts = ['home', 'partners', 'files', 'groups', 'own-notices'];

function textsFile(id: string): string | null {
  const [, language, namespace = ''] = texts.exec(id) ?? [];
  if (language === undefined) return null;
  if (commonTexts.includes(namespace)) return `texts-${language}`;
  return `texts-${language}-${workTexts.includes(namespace) ? 'work' : 'more'}`;
}

function featureFile(id: string): string | null {
  const [, area, name] = feature.exec(id) ?? [];
  return area && name ? `${area}-${name}` : null;
}

export default defineConfig({
  plugins: [
    react(),
    access(),
    withoutJsonSchema(),
    withoutDescriptions(),
    stampVersion(),
    precompress(),
    listModules(),
    measureFirstLoad(),
  ],
  build: {
    target: 'es2022',
    chunkSizeWarningLimit: 700,
    // Every browser that runs the code knows it, or does without.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'vendor', test: vendor, priority: 4 },
            { name: 'index', test: firstScreens, priority: 3 },
            { name: textsFile, debugName: 'texts', priority: 3 },
            { name: 'tenants', test: ofOperators, priority: 2.5 },
            { name: 'work', test: workScreens, priority: 2 },
            { name: 'ways-in', test: waysIn, priority: 1.5 },
            { name: 'code', test: code, priority: 4 },
            { name: 'code-difference', test: codeDifference, priority: 4 },
            { name: 'rare-calls', test: rareCalls, priority: 1.5 },
            { name: 'parts', test: shared, priority: 1 },
            { name: featureFile, debugName: 'features', priority: 0 },
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
