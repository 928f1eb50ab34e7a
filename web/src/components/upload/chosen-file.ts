import { fingerprintOf } from './fingerprint.ts';

export interface ChosenFile {
  readonly fileName: string;
  /** Bytes. */
  readonly fileSize: number;
  readonly fingerprint?: string;
}

/** What names a file to the service, and lets it be known again. */
export async function chosenFileOf(file: File): Promise<ChosenFile> {
  const fingerprint = await fingerprintOf(file);
  return { fileName: file.name, fileSize: file.size, ...(fingerprint !== undefined && { fingerprint }) };
}

/** What an open upload says of the file that it was begun with. */
export function wantedFileOf(upload: {
  fileName: string;
  fileSize: number;
  fingerprint: string | null;
}): ChosenFile {
  const { fileName, fileSize, fingerprint } = upload;
  return { fileName, fileSize, ...(fingerprint !== null && { fingerprint }) };
}

/** As far as a name, a size and, where there is one, a fingerprint can tell. */
export async function isSameFile(
  file: File,
  { fileName, fileSize, fingerprint }: ChosenFile,
): Promise<boolean> {
  if (file.name !== fileName || file.size !== fileSize) return false;
  if (fingerprint === undefined) return true;
  const found = await fingerprintOf(file);
  return found === undefined || found === fingerprint;
}
