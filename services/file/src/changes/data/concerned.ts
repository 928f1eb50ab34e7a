import { limits } from '@portal/contracts';
import { everyone } from '../../assignments/domain/everyone.ts';
import { Prisma } from '../../data/generated/client.ts';
import type { Change } from '../../files/data/changes.ts';
import { findReady } from '../../rollouts/data/keeping-repository.ts';
import { installedBits, installedIn, placeIn, versionFor } from '../../rollouts/data/plan-sql.ts';
import { haltedOf, type Plan } from '../../rollouts/domain/plan.ts';
import type { Delivered } from '../domain/outcome.ts';

const { sql } = Prisma;

/** How a change concerns somebody. */
export const concerns = ['gains', 'loses', 'changes'] as const;
export type Concern = (typeof concerns)[number];

export interface Concerned {
  readonly users: number;
  readonly devices: number;
  /** How many of the devices get which version. */
  readonly sent: Readonly<Record<string, number>>;
  /** The same for the same people, whoever they are and however many devices they have. */
  readonly people: string;
  /** Of the first of them, in the order of names, where these were asked for. */
  readonly names: readonly string[];
}

/** What two moments give. */
interface Compared {
  readonly had: Delivered;
  readonly has: Delivered;
}

type Place = Pick<Change, 'db' | 'partnerId'>;

/** Whether the audience has one of these groups. */
const isIn = ({ groupIds }: Delivered) =>
  sql`(${groupIds.includes(everyone)} OR audience.group_ids && ${[...groupIds]}::integer[])`;

/** The version that somebody of `audience` gets, where stages decide by `ofPlan`. */
function versionOf(delivered: Delivered, ofPlan?: (plan: Plan) => Prisma.Sql): Prisma.Sql {
  const { plan, version } = delivered;
  const theirs = plan && version !== null && ofPlan ? ofPlan(plan) : sql`${version}::integer`;
  return sql`CASE WHEN ${isIn(delivered)} THEN ${theirs} END`;
}

/** How a change concerns the people of `audience`, who are in the same groups; null: in no way. */
const concernOf = ({ had, has }: Compared) => sql`
  CASE WHEN ${versionOf(had)} IS NULL AND ${versionOf(has)} IS NOT NULL THEN 'gains'
    WHEN ${versionOf(had)} IS NOT NULL AND ${versionOf(has)} IS NULL THEN 'loses'
    WHEN ${versionOf(had)} <> ${versionOf(has)} THEN 'changes' END`;

interface Tally extends Omit<Concerned, 'names'> {
  readonly concern: Concern;
  readonly names?: readonly string[] | null;
}

/** Of so few people it is quicker to sort them than to look for them in the order of all names. */
const few = 20_000;

/**
 * Who is concerned, and how; with `named`, the first of them by their names. Sums over the sets of groups that people are in, so a million
 * of them cost what their sets cost.
 */
export async function findConcerned(
  place: Place,
  compared: Compared,
  { named }: { readonly named: boolean },
): Promise<Record<Concern, Concerned>> {
  const rows = isStaged(compared)
    ? await findStaged(place, compared, named)
    : await findPlain(place, compared, named);
  const of = (wanted: Concern): Concerned => {
    const found = rows.find(({ concern }) => concern === wanted);
    const { devices = 0, names, people = '0', sent = {}, users = 0 } = found ?? {};
    return { devices, names: names ?? [], people, sent, users };
  };
  return { gains: of('gains'), loses: of('loses'), changes: of('changes') };
}

const isStaged = ({ had, has }: Compared): boolean => had.plan !== null || has.plan !== null;

async function findPlain({ db, partnerId }: Place, compared: Compared, named: boolean): Promise<Tally[]> {
  const found = await db.$queryRaw<Omit<Tally, 'sent'>[]>`
    SELECT concern, sum(people)::integer AS users, sum(devices)::integer AS devices, sum(fingerprint)::text AS people
    FROM (
      SELECT audience.people, audience.devices, audience.fingerprint, ${concernOf(compared)} AS concern
      FROM audiences audience WHERE audience.partner_id = ${partnerId} AND audience.people > 0
    ) counted
    WHERE concern IS NOT NULL GROUP BY concern`;
  const tallies = found.map((tally) => ({
    ...tally,
    sent: tally.concern === 'loses' ? {} : { [String(compared.has.version)]: tally.devices },
  }));
  if (!named) return tallies;
  const rows: Tally[] = [];
  for (const tally of tallies) {
    rows.push({ ...tally, names: await plainNames({ db, partnerId }, compared, tally) });
  }
  return rows;
}

async function plainNames(
  { db, partnerId }: Place,
  compared: Compared,
  { concern, users }: Tally,
): Promise<string[]> {
  const audiences = sql`
    SELECT audience.id FROM audiences audience
    WHERE audience.partner_id = ${partnerId} AND audience.people > 0 AND ${concernOf(compared)} = ${concern}`;
  const rows =
    users < few
      ? await db.$queryRaw<{ name: string }[]>`
          WITH person AS MATERIALIZED (
            SELECT person.user_id, person.name, person.name_folded FROM people person
            WHERE person.partner_id = ${partnerId} AND person.audience_id IN (${audiences})
          )
          SELECT name FROM person ORDER BY name_folded, user_id LIMIT ${limits.previewNames}`
      : await db.$queryRaw<{ name: string }[]>`
          SELECT person.name FROM people person
          WHERE person.partner_id = ${partnerId} AND person.audience_id = ANY (ARRAY(${audiences}))
          ORDER BY person.name_folded, person.user_id LIMIT ${limits.previewNames}`;
  return rows.map(({ name }) => name);
}

/** The versions that were halted before or after, of which devices keep what they have installed. */
const haltedIn = ({ had, has }: Compared): number[] => [
  ...new Set([had, has].flatMap(({ plan }) => (plan ? haltedOf(plan).map(({ version }) => version) : []))),
];

/** Versions that were halted before or after, in the order of their bits. */
interface Halted {
  readonly fileId: number;
  readonly versions: readonly number[];
  /** Whether it is known who keeps them; else each device is looked up. */
  readonly isKnown: boolean;
}

async function findHalted({ db, partnerId }: Place, compared: Compared): Promise<Halted> {
  const { had, has } = compared;
  const fileId = (had.plan ?? has.plan)?.fileId ?? 0;
  const versions = haltedIn(compared);
  const [known] = versions.length === 0 ? [] : await findReady(db, [partnerId], fileId, versions);
  return { fileId, versions: known?.versions ?? versions, isKnown: known !== undefined };
}

/**
 * What decides about a device is one number: its place, and a bit above that for each halted version that it has installed. People of
 * an audience whose devices have the same numbers are one row of `shape`. `kept`: the people with a device that has installed what was
 * halted, who alone are looked at one by one; `alike`: how many of them have the same numbers.
 */
function shapes(partnerId: number, halted: Halted): Prisma.Sql {
  if (halted.versions.length === 0) {
    return sql`
      shape AS MATERIALIZED (
        SELECT id AS who, audience_id, places AS devices, people FROM audience_places
        WHERE partner_id = ${partnerId} AND people > 0
      )`;
  }
  return sql`
    ${halted.isKnown ? knownKeepers(partnerId, halted) : keepersNow(partnerId, halted)},
    shape AS MATERIALIZED (
      SELECT row_number() OVER () AS who, audience_id, devices, sum(people)::integer AS people FROM (
        SELECT audience_id, places AS devices, people FROM audience_places WHERE partner_id = ${partnerId}
        UNION ALL SELECT audience_id, places, -people FROM alike
        UNION ALL SELECT audience_id, devices, people FROM alike
      ) counted GROUP BY audience_id, devices HAVING sum(people) > 0
    )`;
}

const knownKeepers = (partnerId: number, { fileId }: Halted): Prisma.Sql => sql`
  kept AS MATERIALIZED (
    SELECT user_id, audience_id, devices FROM keepers WHERE partner_id = ${partnerId} AND file_id = ${fileId}
  ), alike AS (
    SELECT audience_id, places, devices, people FROM keeper_shapes WHERE partner_id = ${partnerId} AND file_id = ${fileId}
  )`;

/** Found in one go, which PostgreSQL shares among processes; of people with several devices the others are looked up. */
const keepersNow = (partnerId: number, { fileId, versions }: Halted): Prisma.Sql => sql`
  keeping AS MATERIALIZED (
    SELECT device.id, device.place + installed.bits AS code, person.user_id, person.audience_id, person.places
    FROM (${installedBits([partnerId], fileId, versions)}) installed
    JOIN devices device ON device.id = installed.device_id
    JOIN people person ON person.user_id = device.user_id AND person.partner_id = ${partnerId}
  ), kept AS MATERIALIZED (
    SELECT user_id, audience_id, places, ARRAY[code] AS devices FROM keeping WHERE cardinality(places) = 1
    UNION ALL SELECT person.user_id, person.audience_id, person.places,
      array_agg(coalesce(own.code, device.place) ORDER BY coalesce(own.code, device.place))
    FROM (SELECT DISTINCT user_id, audience_id, places FROM keeping WHERE cardinality(places) <> 1) person
    JOIN devices device ON device.user_id = person.user_id
    LEFT JOIN keeping own ON own.id = device.id
    GROUP BY 1, 2, 3
  ), alike AS MATERIALIZED (
    SELECT audience_id, places, devices, count(*) AS people FROM kept GROUP BY 1, 2, 3
  )`;

/**
 * `one`: each who is reached before or after, one row for a device of a shape, with the version that it had and has. `concerned`: how
 * that concerns the people of the shape, who gain with the first device that does, and lose with the last.
 */
function stagedRows(partnerId: number, compared: Compared, halted: Halted): Prisma.Sql {
  const { had, has } = compared;
  const version = (delivered: Delivered) =>
    versionOf(delivered, (plan) =>
      versionFor(
        plan,
        { place: placeIn(sql`device.code`), groupIds: sql`audience.group_ids` },
        installedIn(sql`device.code`, halted.versions),
      ),
    );
  return sql`
    ${shapes(partnerId, halted)}, one AS MATERIALIZED (
      SELECT shape.who, shape.people, (device.code IS NOT NULL)::integer AS devices, ${version(had)} AS had, ${version(has)} AS has
      FROM audiences audience
      JOIN shape ON shape.audience_id = audience.id
      CROSS JOIN LATERAL (
        SELECT unnest(CASE shape.devices WHEN '{}' THEN ARRAY[NULL]::integer[] ELSE shape.devices END) AS code
      ) device
      WHERE audience.partner_id = ${partnerId} AND audience.people > 0 AND (${isIn(had)} OR ${isIn(has)})
    ), concerned AS MATERIALIZED (
      SELECT shape.audience_id, shape.devices, shape.people, told.concern FROM (
        SELECT who, CASE WHEN bool_and(had IS NULL) AND bool_or(has IS NOT NULL) THEN 'gains'
          WHEN bool_or(had IS NOT NULL) AND bool_and(has IS NULL) THEN 'loses'
          WHEN bool_or(had IS DISTINCT FROM has) THEN 'changes' END AS concern
        FROM one GROUP BY who
      ) told JOIN shape ON shape.who = told.who WHERE told.concern IS NOT NULL
    )`;
}

/**
 * Who they are is told by the sets of groups that they are of, with the number of them. One statement, names and all: those who keep a
 * halted version are found once.
 */
async function findStaged({ db, partnerId }: Place, compared: Compared, named: boolean): Promise<Tally[]> {
  const halted = await findHalted({ db, partnerId }, compared);
  const names = named
    ? sql`CASE tally.concern ${Prisma.join(
        concerns.map((concern) => {
          const namesWhere = (areFew: boolean) =>
            stagedNames(partnerId, concern, { areFew, hasKept: halted.versions.length > 0 });
          return sql`WHEN ${concern} THEN CASE WHEN tally.users < ${few}::integer THEN ${namesWhere(true)}
            ELSE ${namesWhere(false)} END`;
        }),
        ' ',
      )} END`
    : sql`'{}'::text[]`;
  return db.$queryRaw<Tally[]>`
    WITH ${stagedRows(partnerId, compared, halted)},
    counted AS (SELECT concern, audience_id, sum(people) AS users FROM concerned GROUP BY 1, 2),
    device AS (
      SELECT concern, sum(devices) AS devices, jsonb_object_agg(has::text, devices) FILTER (WHERE has IS NOT NULL) AS sent
      FROM (
        SELECT CASE WHEN had IS NULL THEN 'gains' WHEN has IS NULL THEN 'loses' ELSE 'changes' END AS concern, has,
          sum(people * devices) AS devices
        FROM one WHERE had IS DISTINCT FROM has GROUP BY 1, 2
      ) by_version GROUP BY 1
    ), tally AS MATERIALIZED (
      SELECT coalesce(told.concern, device.concern) AS concern, coalesce(told.users, 0)::integer AS users,
        coalesce(device.devices, 0)::integer AS devices, coalesce(device.sent, '{}') AS sent,
        coalesce(told.people, '0') AS people
      FROM (
        SELECT counted.concern, sum(users) AS users,
          sum(audience.fingerprint)::text || ' ' || sum(users)::text AS people
        FROM counted JOIN audiences audience ON audience.id = counted.audience_id GROUP BY 1
      ) told
      FULL JOIN device ON device.concern = told.concern
    )
    SELECT tally.*, ${names} AS names FROM tally`;
}

/**
 * The names of the first people whom a change concerns in one way. Who they are is looked up in memory for each person, and within a CASE,
 * which PostgreSQL makes no join of: that would go through all people of each shape.
 */
function stagedNames(
  partnerId: number,
  concern: Concern,
  { areFew, hasKept }: { readonly areFew: boolean; readonly hasKept: boolean },
): Prisma.Sql {
  const alike = sql`
    (person.audience_id, person.places) IN (SELECT audience_id, devices FROM concerned WHERE concern = ${concern})`;
  const are = hasKept
    ? sql`CASE WHEN person.user_id IN (SELECT user_id FROM kept) THEN person.user_id IN (
        SELECT user_id FROM kept WHERE CASE WHEN (audience_id, devices) IN (
          SELECT audience_id, devices FROM concerned WHERE concern = ${concern}) THEN true ELSE false END) ELSE ${alike} END`
    : alike;
  const people = sql`
    SELECT person.user_id, person.name, person.name_folded FROM people person
    WHERE person.partner_id = ${partnerId} AND ${are}`;
  return areFew
    ? sql`ARRAY(
        WITH found AS MATERIALIZED (${people})
        SELECT name FROM found ORDER BY name_folded, user_id LIMIT ${limits.previewNames})`
    : sql`ARRAY(
        SELECT name FROM (${people} ORDER BY person.name_folded, person.user_id LIMIT ${limits.previewNames}) first)`;
}
