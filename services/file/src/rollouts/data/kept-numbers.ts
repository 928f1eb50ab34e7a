import type { RawQueries } from '@portal/database';
import { Prisma } from '../../data/generated/client.ts';
import type { DeliveryState } from '../../receipts/data/delivery-numbers.ts';
import { haltedOf, type Plan } from '../domain/plan.ts';
import { findReady } from './keeping-repository.ts';
import { installedBits, installedIn, placedVersion, placeIn, versionFor } from './plan-sql.ts';

/** What is to be added to the numbers of a version in one of the sets of groups. Numbers are texts where the driver reads them. */
export interface Tally {
  readonly set: number;
  readonly version: number;
  readonly users?: bigint | string;
  readonly devices?: bigint | string;
  readonly status?: DeliveryState;
  readonly count?: bigint | string;
}

const { sql } = Prisma;

/**
 * What differs from the numbers by places where devices keep a version that was halted: what these are to have instead of what their place
 * gives them. `reached`: the audiences of each set of groups. A set changes nothing for a device, so it is counted by audience, and
 * added up by sets after that.
 */
export async function countKept(
  db: RawQueries,
  partnerIds: readonly number[],
  plan: Plan,
  reached: Prisma.Sql,
): Promise<Tally[]> {
  const halted = haltedOf(plan).map(({ version }) => version);
  if (halted.length === 0) return [];
  const ready = await findReady(db, partnerIds, plan.fileId, halted);
  const known = new Set(ready.map(({ partnerId }) => partnerId));
  const others = partnerIds.filter((partnerId) => !known.has(partnerId));
  const tallies = others.length > 0 ? await lookAtKept(db, others, plan, reached) : [];
  for (const some of Map.groupBy(ready, ({ versions }) => versions.join()).values()) {
    const versions = some[0]?.versions ?? [];
    const tenants = some.map(({ partnerId }) => partnerId);
    tallies.push(...(await sumKept(db, { partnerIds: tenants, versions }, plan, reached)));
  }
  return tallies;
}

interface SignedTally extends Tally {
  readonly sign: number;
}

/** Of what is told by audience: `sign`, `audience_id`, `version`, `users`, `devices`, `status` and `count`. */
const bySet = sql`
  SELECT told.sign, reached.set, told.version, sum(told.users)::bigint AS users, sum(told.devices)::bigint AS devices, told.status,
    sum(told.count)::bigint AS count
  FROM told JOIN reached ON reached.id = told.audience_id GROUP BY 1, 2, 3, 6`;

const signed = (rows: readonly SignedTally[]): Tally[] =>
  rows.map(({ count, devices, sign, status, users, ...of }) => {
    const times = (value: Tally['users'] | null) => BigInt(sign) * BigInt(value ?? 0);
    const told = status ? { status, count: times(count) } : {};
    return { ...of, users: times(users), devices: times(devices), ...told };
  });

/** Sums of what triggers count of those who keep a version; `versions`: in the order of their bits. */
async function sumKept(
  db: RawQueries,
  { partnerIds, versions }: { readonly partnerIds: readonly number[]; readonly versions: readonly number[] },
  plan: Plan,
  reached: Prisma.Sql,
): Promise<Tally[]> {
  const device = { place: placeIn(sql`known.device`), groupIds: sql`audience.group_ids` };
  const known = (table: Prisma.Sql) => sql`
    SELECT known.*, wanted.version AS wanted, placed.version AS instead
    FROM ${table} known JOIN audiences audience ON audience.id = known.audience_id
    CROSS JOIN LATERAL (SELECT ${versionFor(plan, device, installedIn(sql`known.device`, versions))} AS version) wanted
    CROSS JOIN LATERAL (SELECT ${placedVersion(plan, device)} AS version) placed`;
  const ofFile = sql`
    partner_id = ANY (${[...partnerIds]}::integer[]) AND file_id = ${plan.fileId} AND audience_id = ANY (ARRAY(SELECT id FROM reached))`;
  return signed(
    await db.$queryRaw<SignedTally[]>`
      WITH ${reached}, shape AS (
        SELECT row_number() OVER () AS who, audience_id, people, unnest(devices) AS device FROM keeper_shapes WHERE ${ofFile}
      ), device AS MATERIALIZED (
        ${known(sql`shape`)}
      ), state AS (
        SELECT audience_id, device, version, status, count FROM keeper_states WHERE ${ofFile}
      ), told AS (
        SELECT 1 AS sign, audience_id, wanted AS version, sum(people) AS users, NULL::bigint AS devices, NULL AS status,
          NULL::bigint AS count
        FROM (SELECT DISTINCT who, audience_id, people, wanted FROM device WHERE wanted IS NOT NULL) one GROUP BY 2, 3
        UNION ALL SELECT -1, audience_id, instead, sum(people), NULL, NULL, NULL
        FROM (SELECT DISTINCT who, audience_id, people, instead FROM device WHERE instead IS NOT NULL) one GROUP BY 2, 3
        UNION ALL SELECT 1, audience_id, wanted, NULL, sum(people), NULL, NULL FROM device
        WHERE wanted IS DISTINCT FROM instead GROUP BY 2, 3
        UNION ALL SELECT 1, audience_id, wanted, NULL, NULL, 'installed', sum(people) FROM device
        WHERE wanted IS DISTINCT FROM instead GROUP BY 2, 3
        UNION ALL SELECT -1, audience_id, instead, NULL, sum(people), NULL, NULL FROM device
        WHERE wanted IS DISTINCT FROM instead AND instead IS NOT NULL GROUP BY 2, 3
        UNION ALL SELECT -1, audience_id, version, NULL, NULL, status, sum(count) FROM (${known(sql`state`)}) one
        WHERE wanted IS DISTINCT FROM instead AND version = instead GROUP BY 2, 3, 6
      )
      ${bySet}`,
  );
}

/** The same with each device looked up, until what triggers count is complete. */
async function lookAtKept(
  db: RawQueries,
  partnerIds: readonly number[],
  plan: Plan,
  reached: Prisma.Sql,
): Promise<Tally[]> {
  const { fileId } = plan;
  const halted = haltedOf(plan).map((layer) => layer.version);
  const device = { place: sql`device.place`, groupIds: sql`audience.group_ids` };
  const wanted = versionFor(plan, device, installedIn(sql`installed.bits`, halted));
  return signed(
    await db.$queryRaw<SignedTally[]>`
    WITH ${reached}, kept AS MATERIALIZED (
      SELECT device.id, device.user_id, device.audience_id, audience.group_ids, wanted.version, placed.version AS instead
      FROM (${installedBits(partnerIds, fileId, halted)}) installed
      JOIN devices device ON device.id = installed.device_id
      JOIN audiences audience ON audience.id = device.audience_id
      CROSS JOIN LATERAL (SELECT ${wanted} AS version) wanted
      CROSS JOIN LATERAL (SELECT ${placedVersion(plan, device)} AS version) placed
      WHERE device.audience_id = ANY (ARRAY(SELECT id FROM reached)) AND wanted.version IS DISTINCT FROM placed.version
    ), ofUsers AS (
      SELECT audience_id, user_id, instead, group_ids, count(*) AS devices FROM kept GROUP BY 1, 2, 3, 4
    ), told AS (
      SELECT 1 AS sign, audience_id, version, count(DISTINCT user_id) AS users, count(*) AS devices, NULL AS status, NULL::bigint AS count
      FROM kept GROUP BY 2, 3
      UNION ALL SELECT 1, audience_id, version, NULL, NULL, 'installed', count(*) FROM kept GROUP BY 2, 3
      UNION ALL SELECT -1, audience_id, instead, NULL, count(*), NULL, NULL FROM kept WHERE instead IS NOT NULL GROUP BY 2, 3
      UNION ALL SELECT -1, kept.audience_id, kept.instead, NULL, NULL, receipt.status, count(*)
      FROM kept JOIN receipts receipt ON receipt.file_id = ${fileId} AND receipt.version = kept.instead AND receipt.device_id = kept.id
      GROUP BY 2, 3, 6
      UNION ALL SELECT -1, ofUsers.audience_id, instead, count(*), NULL, NULL, NULL
      FROM ofUsers JOIN people person ON person.user_id = ofUsers.user_id
      WHERE instead IS NOT NULL AND ofUsers.devices = (
        SELECT count(*) FROM unnest(person.places) device (place)
        WHERE instead = ${placedVersion(plan, { place: sql`device.place`, groupIds: sql`ofUsers.group_ids` })})
      GROUP BY 2, 3
    )
    ${bySet}`,
  );
}
