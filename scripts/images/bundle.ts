import { existsSync, globSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, sep } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { type ServiceName, serviceNames } from '../../packages/contracts/src/index.ts';
import { billOfMaterials, directoryOfModule } from './bill-of-materials.ts';

/**
 * What goes into the images, made from the locked dependencies: `dist/images/shared` is the layer that all of them have,
 * `dist/images/<service>` that of one. Each service is one file of JavaScript; beside it lies what it reads as files, at
 * the places where the sources have it, and the bill of what is in its image.
 */

const root = join(import.meta.dirname, '..', '..');
const out = join(root, 'dist', 'images');

/** Packages that are more than JavaScript, with the one of the workspace that depends on each. */
const asFiles: readonly (readonly [name: string, from: string])[] = [
  ['@node-rs/argon2', 'packages/accounts'],
  [`@node-rs/argon2-linux-${process.arch}-gnu`, 'node_modules/@node-rs/argon2'],
  ['@prisma/schema-engine-wasm', 'packages/database'],
];
/** What such packages hold for others than Node. */
const needless = /\.(d\.ts|d\.cts|md|map)$/;

/** Beside the build output and in the image: `/app/bom.cdx.json`. */
export const billName = 'bom.cdx.json';

if (import.meta.main) {
  await rm(out, { recursive: true, force: true });
  await Promise.all([
    bundleShared(join(out, 'shared')),
    ...serviceNames.map((service) => bundleService(service, join(out, service))),
  ]);
}

/** Writes the layer that all images have. */
async function bundleShared(layer: string): Promise<void> {
  for (const name of ['database', 'messaging', 'service-kit']) {
    const path = join('packages', name, 'migrations');
    await cp(join(root, path), join(layer, path), { recursive: true });
  }
  for (const [name, directory] of packagesAsFiles()) {
    await cp(directory, join(layer, 'node_modules', name), {
      recursive: true,
      dereference: true,
      filter: (path) => !needless.test(path) && basename(path) !== 'node_modules',
    });
  }
  await writeFile(join(layer, 'package.json'), '{ "type": "module" }\n');
}

function packagesAsFiles(): (readonly [name: string, directory: string])[] {
  let parent = '';
  return asFiles.map(([name, from]) => {
    parent = directoryOf(name, from.startsWith('node_modules') ? parent : join(root, from));
    return [name, parent];
  });
}

/** Writes the layer of a service. */
export async function bundleService(service: ServiceName, layer: string): Promise<void> {
  const place = join('services', service);
  const bundles = [
    await bundleOf(service, join('src', 'main.ts'), { layer, outfile: join(place, 'main.js') }),
  ];
  // Threads stay where the sources have them.
  for (const thread of globSync(join('src', '**', '*.worker.ts'), { cwd: join(root, place) }))
    bundles.push(await bundleOf(service, thread, { layer, outfile: join(place, asScript(thread)) }));
  // What they read as files does as well.
  for (const schema of globSync(join('src', '**', '*.xsd'), { cwd: join(root, place) }))
    await copyIfThere(join(place, schema), layer);
  await copyIfThere(join(place, 'prisma', 'migrations'), layer);
  const modules = bundles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) =>
      Object.entries(inputs)
        // What is imported and not used is left out.
        .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .map(([path]) => join(root, path)),
    );
  const directories = [
    ...modules.map(directoryOfModule).filter((directory) => directory !== undefined),
    ...packagesAsFiles().map(([, directory]) => directory),
    ...(service === 'gateway' ? await addPages(layer) : []),
  ];
  const bill = await billOfMaterials(service, directories);
  await writeFile(join(layer, billName), `${JSON.stringify(bill, null, 2)}\n`);
}

/** Bundles what a module of a service needs into one file. */
async function bundleOf(
  service: ServiceName,
  entry: string,
  { layer, outfile }: { readonly layer: string; readonly outfile: string },
): Promise<Metafile> {
  const place = join('services', service);
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(place, entry)],
    outfile: join(layer, outfile),
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
    plugins: [placesOf(join(root, dirname(outfile)))],
    logLevel: 'warning',
    metafile: true,
  });
  return metafile;
}

/**
 * The web client and the page of the documents, which the gateway serves.
 * @returns the directories of the packages that are in them
 */
async function addPages(layer: string): Promise<string[]> {
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
  const modules: string[] = JSON.parse(await readFile(join(root, 'web', 'dist', '.modules.json'), 'utf8'));
  const packages = modules.map((path) => directoryOfModule(join(root, path)));
  return [directory, ...packages.filter((one) => one !== undefined)];
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

/** Threads are JavaScript too. */
function asScript(text: string): string {
  return text.replaceAll('.worker.ts', '.worker.js');
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
        return { contents: asScript(source.replaceAll('import.meta.url', url)), loader: 'ts' };
      });
    },
  };
}
