import type { FileCreateValues } from './file-flows.ts';

type Chosen = Pick<FileCreateValues, 'files' | 'names'>;

/** What a file is called until somebody types a name: its own without the extension. */
export const suggestedName = ({ name }: Pick<File, 'name'>): string => name.replace(/\.[^.]+$/, '');

const isTyped = (name: string, file: File | undefined) =>
  name !== '' && (file === undefined || name !== suggestedName(file));

/** With more files. One of the same file name takes the place of the one before; a name that was typed stays. */
export function withFiles({ files, names }: Chosen, chosen: readonly File[]): Chosen {
  const next = { files: [...files], names: [...names] };
  for (const file of chosen) {
    const same = next.files.findIndex(({ name }) => name === file.name);
    const index = same < 0 ? next.files.length : same;
    const name = next.names[index] ?? '';
    if (!isTyped(name, next.files[index])) next.names[index] = suggestedName(file);
    next.files[index] = file;
  }
  return next;
}

/** Without the file at `index`, whose name goes too, but for a typed one of the only file. */
export function withoutFile({ files, names }: Chosen, index: number): Chosen {
  if (files.length <= 1) {
    const name = names[0] ?? '';
    return { files: [], names: [isTyped(name, files[0]) ? name : ''] };
  }
  return { files: files.toSpliced(index, 1), names: names.toSpliced(index, 1) };
}
