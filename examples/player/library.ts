import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the player has of a file. */
export interface Kept {
  readonly version: number;
  readonly fileName: string;
}

/**
 * What the player has, in its folder. A version is taken whenever it is another than the one that is there, a lower one too: the
 * portal may put a former version back.
 */
export interface Library {
  has(file: { readonly id: number; readonly version: number }): boolean;
  keep(file: Kept & { readonly id: number }): Promise<void>;
  /** Removes what is not among `delivered`; answers what it was. */
  removeOthers(delivered: readonly { readonly id: number }[]): Promise<(Kept & { readonly id: number })[]>;
}

/** Each file has a folder of its own: an application, or a file that comes after another, may have the same name. */
const folderOf = (folder: string, id: number): string => join(folder, String(id));

/** Where a file is, below the folder of the player. */
export function placeOf(folder: string, { fileName, id }: { id: number; fileName: string }): string {
  return join(folderOf(folder, id), fileName);
}

export async function openLibrary(folder: string): Promise<Library> {
  await mkdir(folder, { recursive: true });
  const index = join(folder, '.library.json');
  const kept = new Map<number, Kept>(await readFile(index, 'utf8').then(entriesOf, () => []));

  /** Renamed into place, so that it is there as a whole or as it was. */
  async function save(): Promise<void> {
    await writeFile(`${index}.new`, JSON.stringify([...kept]));
    await rename(`${index}.new`, index);
  }

  return {
    has({ id, version }) {
      const known = kept.get(id);
      return known?.version === version && existsSync(placeOf(folder, { ...known, id }));
    },
    async keep({ fileName, id, version }) {
      kept.set(id, { version, fileName });
      await save();
    },
    async removeOthers(delivered) {
      const ids = new Set(delivered.map(({ id }) => id));
      const gone = [...kept].filter(([id]) => !ids.has(id));
      for (const [id] of gone) {
        await rm(folderOf(folder, id), { recursive: true, force: true });
        kept.delete(id);
      }
      if (gone.length > 0) await save();
      return gone.map(([id, { fileName, version }]) => ({ id, fileName, version }));
    },
  };
}

function entriesOf(text: string): [number, Kept][] {
  return JSON.parse(text) as [number, Kept][];
}
