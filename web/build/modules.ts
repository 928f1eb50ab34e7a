import { writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Plugin } from 'vite';

/**
 * Writes `dist/.modules.json`: the modules that are in the built scripts, from the root of the project on. The bill of
 * materials of the image that serves them is made of it.
 */
export function listModules(): Plugin {
  let root = '';
  let file = '';
  return {
    name: 'list-modules',
    apply: 'build',
    configResolved(config) {
      root = join(config.root, '..');
      file = join(config.root, config.build.outDir, '.modules.json');
    },
    async writeBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((output) =>
        output.type === 'chunk'
          ? Object.entries(output.modules)
              .filter(([, { renderedLength }]) => renderedLength > 0)
              .map(([id]) => id)
          : [],
      );
      // Those of the bundler itself are no files.
      const files = modules.filter((id) => !id.startsWith('\0'));
      const paths = files.map((id) =>
        relative(root, id.split('?', 1)[0] ?? '')
          .split(sep)
          .join('/'),
      );
      await writeFile(file, JSON.stringify([...new Set(paths)].sort()));
    },
  };
}
