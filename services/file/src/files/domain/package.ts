import { extensionOf, isPackageName } from '@portal/contracts';
import { fieldError } from '@portal/kernel';
import { assertUploadSize } from '../../uploads/domain/upload.ts';

/** Refuses what is no package: `E40002` on `file`. The size is in bytes; undefined where it is not known yet. */
export function assertPackage(fileName: string, fileSize: number | undefined): void {
  if (!isPackageName(fileName)) throw fieldError('E40002', 'file', 'fileExtension');
  if (fileSize !== undefined) assertUploadSize('current', fileSize);
}

/** Whether a file of this name counts against `uap_file_limit`. */
export function countsAsUap(fileName: string): boolean {
  return extensionOf(fileName) === '.uap';
}

/** A new version must come under the name of its file: else `E40002` on `file`. */
export function assertSameName(original: string, given: string): void {
  if (given !== original) throw fieldError('E40002', 'file', 'fileNameChanged', { filename: original });
}
