import type { Language } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { deliveryType, findOffered } from '../../applications/data/reach.ts';
import { assignedGroups } from '../../assignments/data/assignment-repository.ts';
import { everyone } from '../../assignments/domain/everyone.ts';
import type { FileDb } from '../../data/db.ts';
import { type File, findFile, isApplication } from '../../files/data/file-repository.ts';
import { nameEveryone } from '../../files/data/file-views.ts';
import { isDelivered, scheduleAt } from '../../updates/domain/schedule.ts';

/** Whose file is asked about. */
export interface FileOf {
  readonly partnerId: number;
  readonly fileId: number;
}

/** What people are to have of a file. */
interface Delivered {
  /** Null: nobody is to have any. */
  readonly version: number | null;
  /** Through which groups. */
  readonly groups: readonly { readonly id: number; readonly name: string }[];
  /** Whether any version of it ever went out in stages. */
  readonly isStaged: boolean;
}

/**
 * A file of the tenant, or an application that is for it.
 * @throws AppError `E40405` where it has none
 */
export async function requireFile(db: FileDb, { fileId, partnerId }: FileOf): Promise<File> {
  const found = (await findFile(db, partnerId, fileId)) ?? (await findOffered(db, partnerId, fileId));
  if (!found) throw new AppError('E40405');
  return found;
}

/**
 * The version of a file of the tenant that people are to have now, and through which groups: before its delivery time, without
 * groups or bytes none.
 * @throws AppError `E40405`
 */
export async function findDelivered(
  db: FileDb,
  of: FileOf,
  { language, now }: { readonly now: Date; readonly language: Language },
): Promise<Delivered> {
  const file = scheduleAt(await requireFile(db, of), now);
  const { isStaged, version } = file;
  const groups = isDelivered(file, now) ? await groupsOf(db, of, file, language) : [];
  return groups.length > 0 ? { version, groups, isStaged } : { version: null, groups: [], isStaged };
}

async function groupsOf(
  db: FileDb,
  { fileId, partnerId }: FileOf,
  file: File,
  language: Language,
): Promise<{ id: number; name: string }[]> {
  const isForAll = isApplication(file) && file.saleType === deliveryType;
  const ids = isForAll ? [everyone] : await assignedGroups({ db, partnerId }, fileId);
  const named = await db.group.findMany({ where: { groupId: { in: ids } } });
  const names = new Map(named.map(({ groupId, name }) => [groupId, name]));
  return ids.map((id) => nameEveryone({ id, name: names.get(id) ?? '' }, language));
}
