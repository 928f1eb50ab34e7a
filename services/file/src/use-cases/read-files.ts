import type { Language } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import {
  type FileListQuery,
  type FileView,
  findFileView,
  listAllFiles,
  listFileViews,
} from '../data/file-views.ts';
import type { FileTools } from './file-use-cases.ts';

type Tools = Pick<FileTools, 'clock' | 'store'>;

export async function listFiles(
  { clock, store }: Tools,
  partnerId: number,
  query: FileListQuery,
  language: Language,
): ReturnType<typeof listFileViews> {
  return store.read(ofPartner(partnerId), async (db) =>
    listFileViews(db, partnerId, query, { now: clock.now(), language }),
  );
}

/** Every file that the filters let pass, for pickers. */
export async function listEveryFile(
  { clock, store }: Tools,
  partnerId: number,
  query: FileListQuery,
): ReturnType<typeof listAllFiles> {
  return store.read(ofPartner(partnerId), async (db) => listAllFiles(db, partnerId, query, clock.now()));
}

/** @throws AppError `E40405` */
export async function getFile(
  { clock, store }: Tools,
  partnerId: number,
  fileId: number,
  language: Language,
): Promise<FileView> {
  const file = await store.read(ofPartner(partnerId), async (db) =>
    findFileView(db, partnerId, fileId, { now: clock.now(), language }),
  );
  if (!file) throw new AppError('E40405');
  return file;
}
