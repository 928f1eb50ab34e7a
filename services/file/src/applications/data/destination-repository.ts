import { operator } from '@portal/storage';
import type { FileDb } from '../../data/db.ts';
import type { Change } from '../../files/data/changes.ts';
import type { File } from '../../files/data/file-repository.ts';
import type { Destinations } from '../domain/destinations.ts';

/** The destinations of an application now; named ones in the order of their ids. */
export async function currentDestinations(db: FileDb, fileId: number): Promise<Destinations> {
  const rows = await db.destination.findMany({
    where: { fileId, removedIn: null },
    select: { partnerId: true },
    orderBy: { partnerId: 'asc' },
  });
  const ids = rows.map(({ partnerId }) => partnerId);
  return ids.includes(operator) ? 'all' : ids;
}

/** Of all: the row of the operator. */
const idsOf = (destinations: Destinations): readonly number[] =>
  destinations === 'all' ? [operator] : destinations;

/** Sets where an application goes; answers what it left. However many there are, these are two statements. */
export async function setDestinations(
  { db, number }: Change,
  { id: fileId, unitId }: Pick<File, 'id' | 'unitId'>,
  destinations: Destinations,
  now: Date,
): Promise<{ left: { fromAll: boolean; partnerIds: number[] } }> {
  const before = idsOf(await currentDestinations(db, fileId));
  const wanted = idsOf(destinations);
  const known = new Set(before);
  const kept = new Set(wanted);
  const added = wanted.filter((id) => !known.has(id));
  const left = before.filter((id) => !kept.has(id));
  if (added.length > 0) {
    await db.$executeRaw`
      INSERT INTO destinations (partner_id, file_id, unit_id, added_in, added_at)
      SELECT added.partner_id, ${fileId}, ${unitId}::integer, ${number}, ${now}
      FROM unnest(${added}::integer[]) AS added (partner_id)`;
  }
  if (left.length > 0) {
    await db.$executeRaw`
      UPDATE destinations SET removed_in = ${number}
      WHERE file_id = ${fileId} AND removed_in IS NULL AND partner_id = ANY (${left}::integer[])`;
  }
  return { left: { fromAll: left.includes(operator), partnerIds: left.filter((id) => id !== operator) } };
}

/** One tenant more. */
export async function addDestination(
  { db, number }: Change,
  { id: fileId, unitId }: Pick<File, 'id' | 'unitId'>,
  partnerId: number,
  addedAt: Date,
): Promise<void> {
  await db.destination.create({ data: { fileId, unitId, partnerId, addedIn: number, addedAt } });
}

/** It goes to nobody any more. */
export async function endDestinations({ db, number }: Change, fileId: number): Promise<void> {
  await db.destination.updateMany({ where: { fileId, removedIn: null }, data: { removedIn: number } });
}
