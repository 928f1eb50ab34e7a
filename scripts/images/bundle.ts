import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, sep } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { type ServiceName, serviceNames } from '../../packages/contracts/src/index.ts';

/**
 * What goes into the images, made from the locked dependencies: `dist/images/shared` is the layer that all of them have,
 * `dist/images/<service>` that of one. Each service is one file of JavaScript; beside it lies what it reads as files, at
 * the places where the sources have it.
 */

const root = join(import.meta.dirname, '..', '..');
const out = join(root, 'dist', 'images');

/** Packages that are more than JavaScript, with the one of the workspace that depends on each. */
const asFiles: readonly (readonly [name: string, from: string])[] = [
  ['@node-rs/argon2', 'packages/service-kit'],
  [`@node-rs/argon2-linux-${process.arch}-gnu`, 'node_modules/@node-rs/argon2'],
  ['@prisma/schema-engine-wasm', 'packages/database'],
];
/** What such packages hold for others than Node. */
const needless = /\.(d\.ts|d\.cts|md|map)$/;

await rm(out, { recursive: true, force: true });
await Promise.all([bundleShared(), ...serviceNames.map(bundleService)]);

async function bundleShared(): Promise<void> {
  const layer = join(out, 'shared');
  for (const name of ['database', 'messaging', 'service-kit']) {
    const path = join('packages', name, 'migrations');
    await cp(join(root, path), join(layer, path), { recursive: true });
  }
  let parent = '';
  for (const [name, from] of asFiles) {
    const directory = directoryOf(name, from.startsWith('node_modules') ? parent : join(root, from));
    parent = directory;
    await cp(directory, join(layer, 'node_modules', name), {
      recursive: true,
      dereference: true,
      filter: (path) => !needless.test(path) && basename(path) !== 'node_modules',
    });
  }
  await writeFile(join(layer, 'package.json'), '{ "type": "module" }\n');
}

async function bundleService(service: ServiceName): Promise<void> {
  const layer = join(out, service);
  const place = join('services', service);
  await build({
    absWorkingDir: root,
    entryPoints: [join(place, 'src', 'main.ts')],
    outfile: join(layer, place, 'main.js'),
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    minifySyntax: true,
    minifyWhitespace: true,
    // Names stay, so that a log can be read.
    minifyIdentifiers: false,
    keepNames: true,
    legalComments: 'none',
    external: ['@node-rs/argon2', '@prisma/schema-engine-wasm', 'pg-native'],
    // CommonJS packages ask for Node's modules when they run.
    banner: {
      js: "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);",
    },
    plugins: [placesOf(join(root, place))],
    logLevel: 'warning',
  });
  await copyIfThere(join(place, 'prisma', 'migrations'), layer);
  if (service === 'gateway') await addPages(layer);
}

/** The web client and the page of the documents, which the gateway serves. */
async function addPages(layer: string): Promise<void> {
  await copyIfThere(join('web', 'dist'), layer);
  const reference = '@scalar/api-reference';
  const directory = directoryOf(reference, join(root, 'services', 'gateway'));
  const to = join(layer, 'node_modules', reference);
  const entry = relative(directory, createRequire(join(root, 'services/gateway/')).resolve(reference));
  const script = join(dirname(entry), 'browser', 'standalone.js');
  for (const path of ['package.json', entry, script]) {
    await mkdir(dirname(join(to, path)), { recursive: true });
    await cp(join(directory, path), join(to, path));
  }
}

/** What tools leave for themselves, such as stamps, begins with a dot and stays here. */
async function copyIfThere(path: string, layer: string): Promise<void> {
  const filter = (from: string) => !basename(from).startsWith('.');
  if (existsSync(join(root, path)))
    await cp(join(root, path), join(layer, path), { recursive: true, filter });
}

/** Where a package lies that the package at `from` depends on. */
function directoryOf(name: string, from: string): string {
  const folder = createRequire(join(from, 'index.js')).resolve.paths(name) ?? [];
  const require = createRequire(join(from, 'index.js'));
  const manifest = join(name, 'package.json');
  for (const path of folder) {
    try {
      return dirname(require.resolve(join(path, manifest)));
    } catch {
      // Not in this folder.
    }
  }
  throw new Error(`${name} is not installed`);
}

/** Sources name files relative to where they lie themselves; in a bundle they go on to, as if they lay there still. */
function placesOf(bundleDirectory: string): Plugin {
  return {
    name: 'places',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/](packages|services)[\\/][^\\/]+[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        if (path.includes(`${sep}generated${sep}`) || !source.includes('import.meta.url')) return undefined;
        const place = relative(bundleDirectory, path).split(sep).join('/');
        const url = `new URL(${JSON.stringify(place)}, import.meta.url).href`;
        return { contents: source.replaceAll('import.meta.url', url), loader: 'ts' };
      });
    },
  };
}
