import { limits } from '@portal/contracts';
import { everyone } from '../../assignments/data/assignment-repository.ts';
import { Prisma } from '../../data/generated/client.ts';
import type { Change } from '../../files/data/changes.ts';
import type { Delivered } from '../domain/outcome.ts';

const { sql } = Prisma;

/** How a change concerns somebody. */
export const concerns = ['gains', 'loses', 'changes'] as const;
export type Concern = (typeof concerns)[number];

export interface Concerned {
  readonly users: number;
  readonly devices: number;
  /** The same for the same people, whoever they are and however many devices they have. */
  readonly people: string;
}

/** Whether the audience has one of these groups. */
const isIn = ({ groupIds }: Delivered) =>
  sql`(${groupIds.includes(everyone)} OR audience.group_ids && ${[...groupIds]}::integer[])`;

const versionOf = (delivered: Delivered) =>
  sql`CASE WHEN ${isIn(delivered)} THEN ${delivered.version}::integer END`;

/** How a change concerns the people of `audience`, who are in the same groups; null: in no way. */
const concernOf = (had: Delivered, has: Delivered) => sql`
  CASE WHEN ${versionOf(had)} IS NULL AND ${versionOf(has)} IS NOT NULL THEN 'gains'
    WHEN ${versionOf(had)} IS NOT NULL AND ${versionOf(has)} IS NULL THEN 'loses'
    WHEN ${versionOf(had)} <> ${versionOf(has)} THEN 'changes' END`;

/** Sums over the sets of groups that people are in, so a million of them cost what their sets cost. */
export async function countConcerned(
  { db, partnerId }: Pick<Change, 'db' | 'partnerId'>,
  { had, has }: { readonly had: Delivered; readonly has: Delivered },
): Promise<Record<Concern, Concerned>> {
  const rows = await db.$queryRaw<{ concern: Concern; users: number; devices: number; people: string }[]>`
    SELECT concern, sum(people)::integer AS users, sum(devices)::integer AS devices, sum(fingerprint)::text AS people
    FROM (
      SELECT audience.people, audience.devices, audience.fingerprint, ${concernOf(had, has)} AS concern
      FROM audiences audience WHERE audience.partner_id = ${partnerId} AND audience.people > 0
    ) counted
    WHERE concern IS NOT NULL GROUP BY concern`;
  const of = (wanted: Concern): Concerned => {
    const { devices = 0, people = '0', users = 0 } = rows.find(({ concern }) => concern === wanted) ?? {};
    return { devices, people, users };
  };
  return { gains: of('gains'), loses: of('loses'), changes: of('changes') };
}

/** Of so few people it is quicker to sort them than to look for them in the order of all names. */
const few = 20_000;

/** The names of the first people whom a change concerns in one way, in the order of names. */
export async function namesOfConcerned(
  { db, partnerId }: Pick<Change, 'db' | 'partnerId'>,
  { had, has }: { readonly had: Delivered; readonly has: Delivered },
  concern: Concern,
  users: number,
): Promise<string[]> {
  if (users === 0) return [];
  const theirs = sql`
    SELECT audience.id FROM audiences audience
    WHERE audience.partner_id = ${partnerId} AND audience.people > 0 AND ${concernOf(had, has)} = ${concern}`;
  const rows =
    users < few
      ? await db.$queryRaw<{ name: string }[]>`
          WITH person AS MATERIALIZED (
            SELECT person.user_id, person.name, person.name_folded FROM people person
            WHERE person.partner_id = ${partnerId} AND person.audience_id IN (${theirs})
          )
          SELECT name FROM person ORDER BY name_folded, user_id LIMIT ${limits.previewNames}`
      : await db.$queryRaw<{ name: string }[]>`
          SELECT person.name FROM people person
          WHERE person.partner_id = ${partnerId} AND person.audience_id = ANY (ARRAY(${theirs}))
          ORDER BY person.name_folded, person.user_id LIMIT ${limits.previewNames}`;
  return rows.map(({ name }) => name);
}
