import { writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/** What a browser fetches until somebody has signed in and sees the first screen. */
export interface FirstLoad {
  /** Below `dist`. */
  readonly files: readonly string[];
  /** Bytes after gzip of what came in from each package and folder. */
  readonly parts: Readonly<Record<string, number>>;
}

const areas = ['admin', 'partner'];
const languages = ['ja', 'en'];

/** The modules that bring these bytes: the entry imports the first screen, the others are fetched by name. */
const startOf = (area: string, language: string): readonly string[] => [
  'index.html',
  `src/features/${area}/auth/login-page.tsx`,
  ...['ui', 'shell', 'auth'].map((namespace) => `src/i18n/${language}/${namespace}.ts`),
];

type Bundle = Rolldown.OutputBundle;
type Chunk = Rolldown.OutputChunk;

/** The chunk that holds a module, and the one that only leads to it where others are in the same chunk. */
function chunksWith(bundle: Bundle, moduleId: string): readonly Chunk[] {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const found = chunks.filter(
    ({ facadeModuleId, moduleIds }) => facadeModuleId === moduleId || moduleIds.includes(moduleId),
  );
  if (found.length === 0) throw new Error(`No chunk holds ${moduleId}`);
  return found;
}

/** The chunks that hold `modules`, and all that they import at once. */
function chunksOf(bundle: Bundle, modules: readonly string[]): readonly Chunk[] {
  const chunks = new Set(modules.flatMap((id) => chunksWith(bundle, id)));
  // A set that grows is walked to its end.
  for (const { imports } of chunks)
    for (const name of imports) {
      const imported = bundle[name];
      if (imported?.type === 'chunk') chunks.add(imported);
    }
  return [...chunks];
}

const sizeOf = (source: string | Uint8Array): number => gzipSync(source, { level: 9 }).length;

/** The package of a module, or its folder where it is one of ours. */
function partOf(root: string, moduleId: string): string {
  const [path = ''] = moduleId.split('?', 1);
  const installed = path.lastIndexOf('/node_modules/');
  if (installed >= 0) {
    const [scope = '', name] = path.slice(installed + '/node_modules/'.length).split('/');
    return scope.startsWith('@') ? `${scope}/${name}` : scope;
  }
  if (!path.startsWith('/')) return 'bundler';
  return relative(join(root, '..'), path).split(sep).slice(0, -1).join('/');
}

/** Shares the bytes of a chunk among the parts whose code is in it, by how much of it is theirs. */
function* sharesOf(root: string, chunk: Chunk): Generator<readonly [part: string, bytes: number]> {
  const modules = Object.entries(chunk.modules);
  const rendered = modules.reduce((sum, [, { renderedLength }]) => sum + renderedLength, 0);
  const bytes = sizeOf(chunk.code);
  for (const [id, { renderedLength }] of modules)
    yield [partOf(root, id), (bytes * renderedLength) / rendered];
  // One that leads to another chunk has no code of its own.
  if (modules.length === 0) yield ['bundler', bytes];
}

function measure(root: string, bundle: Bundle, start: readonly string[]): FirstLoad {
  const chunks = chunksOf(
    bundle,
    start.map((path) => join(root, path)),
  );
  const styles = chunks.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
  const parts: Record<string, number> = {};
  const add = (part: string, bytes: number) => {
    parts[part] = (parts[part] ?? 0) + bytes;
  };
  for (const chunk of chunks) for (const [part, bytes] of sharesOf(root, chunk)) add(part, bytes);
  for (const name of styles) {
    const style = bundle[name];
    if (style?.type === 'asset') add('styles', sizeOf(style.source));
  }
  const rounded = Object.entries(parts).map(([part, bytes]) => [part, Math.round(bytes)] as const);
  return {
    files: [...chunks.map(({ fileName }) => fileName), ...styles].sort(),
    parts: Object.fromEntries(rounded.sort(([a], [b]) => a.localeCompare(b))),
  };
}

export const totalOf = ({ parts }: Pick<FirstLoad, 'parts'>): number =>
  Object.values(parts).reduce((sum, bytes) => sum + bytes, 0);

/** Writes `dist/.first-load.json`: the largest first load of both areas in both languages. */
export function measureFirstLoad(): Plugin {
  let root = '';
  let file = '';
  return {
    name: 'measure-first-load',
    apply: 'build',
    configResolved(config) {
      root = config.root;
      file = join(config.root, config.build.outDir, '.first-load.json');
    },
    async writeBundle(_, bundle) {
      const loads = areas.flatMap((area) =>
        languages.map((language) => measure(root, bundle, startOf(area, language))),
      );
      const [largest] = loads.sort((a, b) => totalOf(b) - totalOf(a));
      await writeFile(file, JSON.stringify(largest));
    },
  };
}
