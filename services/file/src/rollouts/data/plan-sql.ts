import { everyone } from '../../assignments/domain/everyone.ts';
import { Prisma } from '../../data/generated/client.ts';
import { places } from '../domain/place.ts';
import type { Layer, Plan } from '../domain/plan.ts';

const { sql } = Prisma;

/** Somebody whom the file reaches, in the words of a statement. */
interface ReachedSql {
  /** Of their device; null of a person without one. */
  readonly place: Prisma.Sql;
  /** Their groups. */
  readonly groupIds: Prisma.Sql;
}

/**
 * The version of a file that a device is to have, as `layerFor` tells it; null: none. `hasInstalled` says whether it has a halted version
 * installed.
 */
export const versionFor = (
  plan: Plan,
  device: ReachedSql,
  hasInstalled: (version: number) => Prisma.Sql,
): Prisma.Sql =>
  versionBy(plan, (layer) =>
    layer.rollout === null || layer.rollout.state === 'open'
      ? isInOpen(layer, device)
      : sql`(${isKept(layer, device)} OR ${hasInstalled(layer.version)})`,
  );

/** Above all places: what decides about a device is one number, its place with a bit for each halted version that it has. */
const firstBit = 128;

/** The place in such a number. */
export const placeIn = (device: Prisma.Sql): Prisma.Sql => sql`(${device} % ${firstBit}::integer)`;

/** Of devices that have some of these versions installed, which they have: a bit for each. */
export function installedBits(
  partnerIds: readonly number[],
  fileId: number,
  versions: readonly number[],
): Prisma.Sql {
  const installed = sql`
    FROM receipts WHERE partner_id = ANY (${[...partnerIds]}::integer[]) AND file_id = ${fileId}
      AND version = ANY (${[...versions]}::integer[]) AND status = 'installed' AND audience_id IS NOT NULL`;
  // Of one version, as nearly always, each device has one row: without a sum PostgreSQL shares the work among processes.
  return versions.length === 1
    ? sql`SELECT device_id, ${firstBit}::integer AS bits ${installed}`
    : sql`SELECT device_id, sum(${firstBit}::integer << array_position(${[...versions]}::integer[], version) - 1)::integer AS bits
        ${installed} GROUP BY device_id`;
}

/** For `versionFor`: what is installed, by such bits. */
export const installedIn =
  (bits: Prisma.Sql, versions: readonly number[]) =>
  (version: number): Prisma.Sql =>
    sql`coalesce(${bits} & ${firstBit << versions.indexOf(version)}::integer <> 0, false)`;

/** The same, with what is installed looked up for each device. */
export const wantedVersion = (plan: Plan, device: ReachedSql & { readonly id: Prisma.Sql }): Prisma.Sql =>
  versionFor(
    plan,
    device,
    (version) => sql`EXISTS (
      SELECT FROM receipts kept WHERE kept.file_id = ${plan.fileId} AND kept.version = ${version}
        AND kept.device_id = ${device.id} AND kept.status = 'installed')`,
  );

/** The same without what is installed: it can be counted by places. */
export const placedVersion = (plan: Plan, device: ReachedSql): Prisma.Sql =>
  versionFor(plan, device, () => sql`false`);

const versionBy = ({ layers }: Plan, isIn: (layer: Layer) => Prisma.Sql): Prisma.Sql => sql`
  CASE ${Prisma.join(
    layers.map((layer) => sql`WHEN ${isIn(layer)} THEN ${layer.version}::integer`),
    ' ',
  )} END`;

function isInOpen(layer: Layer, device: ReachedSql): Prisma.Sql {
  const { rollout, turn } = layer;
  if (rollout === null) return sql`true`;
  const percent = percentSql(rollout.stages, device.groupIds);
  return sql`(${isKept(layer, device)} OR CASE WHEN ${device.place} IS NULL THEN ${percent} = ${places}
    ELSE (${device.place} + ${turn}::integer) % ${places}::integer < ${percent} END)`;
}

/** Whether they had the version before its stages began. */
const isKept = ({ rollout }: Layer, { groupIds }: ReachedSql): Prisma.Sql =>
  isAnyOf(groupIds, rollout?.keeps ?? []);

const isAnyOf = (groupIds: Prisma.Sql, some: readonly number[]): Prisma.Sql => {
  if (some.includes(everyone)) return sql`true`;
  // As text: a CSV has no parameters, so no lists among them.
  return some.length === 0 ? sql`false` : sql`${groupIds} && string_to_array(${some.join()}, ',')::integer[]`;
};

/** How many percent are in of those in `groupIds`. */
function percentSql(stages: NonNullable<Layer['rollout']>['stages'], groupIds: Prisma.Sql): Prisma.Sql {
  const begun = stages.filter(({ startedAt }) => startedAt !== null);
  return sql`greatest(0, ${Prisma.join([
    sql`0`,
    ...begun.map((stage) =>
      stage.groupIds === null
        ? sql`${stage.percent}::integer`
        : sql`CASE WHEN ${isAnyOf(groupIds, stage.groupIds)} THEN ${stage.percent}::integer ELSE 0 END`,
    ),
  ])})`;
}
