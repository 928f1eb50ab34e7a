import { keptPlan, type RawQueries } from '@portal/database';
import { operator } from '@portal/storage';
import {
  deliveryType,
  isReached,
  maybeReachedSince,
  reachedIds,
  wasReached,
} from '../../applications/data/reach.ts';
import type { FileDb } from '../../data/db.ts';
import { Prisma } from '../../data/generated/client.ts';
import { hasUpdateAhead, isDue } from '../../files/data/file-states.ts';
import { effectiveUpdatedAt, effectiveVersion, effectiveVersionId } from '../../files/data/file-views.ts';
import {
  chosenLayers,
  type KnownPlayer,
  layerOf,
  type Player,
} from '../../rollouts/data/reached-repository.ts';
import {
  pendingRollouts,
  plansOf,
  type StoredPlan,
  type StoredRollout,
} from '../../rollouts/data/rollout-repository.ts';
import { type Layer, planBefore } from '../../rollouts/domain/plan.ts';
import { dueAt, rolloutAt } from '../../rollouts/domain/rollout.ts';
import { beginning, type Moment } from '../domain/cursor.ts';
import type { InGroups } from './asker.ts';
import type { QuietPeriod } from './change-watch.ts';

/** A file as a player gets it. */
export interface DeliveredView {
  readonly id: number;
  readonly name: string;
  readonly note: string;
  readonly fileName: string;
  /** Bytes. */
  readonly fileSize: number;
  readonly sha256: string;
  readonly version: number;
  readonly objectKey: string;
  readonly iconKey: string | null;
  readonly deliveredAt: Date;
  readonly updatedAt: Date;
  /** How many devices of the tenant got the version, or were added to those that get it, at once. */
  readonly reachedDevices: number;
  /** When that was. */
  readonly newSince: Date;
}

/** A player, or all who are in the same groups. */
type Whose = Pick<Player, 'partnerId' | 'userId'> | InGroups;

/** The groups of a player with the changes between which they were in them; group 0 always. */
const mine = (whose: Whose) => Prisma.sql`
  mine AS (
    ${
      'groups' in whose
        ? Prisma.sql`SELECT (one ->> 0)::integer AS group_id, (one ->> 1)::bigint AS added_in, (one ->> 2)::bigint AS removed_in,
            NULL::timestamptz AS added_at FROM jsonb_array_elements(${whose.groups}::jsonb) one`
        : Prisma.sql`SELECT group_id, added_in, removed_in, added_at FROM memberships
            WHERE partner_id = ${whose.partnerId} AND user_id = ${whose.userId}`
    }
    UNION ALL SELECT 0, 0, NULL, NULL
  )`;

type OfTenant = Pick<Player, 'partnerId'>;

/** Whether the file is assigned to a group of the player: a file of the tenant, or an offer to it. */
const assigned = ({ partnerId }: OfTenant) => Prisma.sql`
  EXISTS (
    SELECT FROM assignments assignment JOIN mine ON mine.group_id = assignment.group_id
    WHERE assignment.partner_id = ${partnerId} AND assignment.file_id = file.id
      AND assignment.removed_in IS NULL AND mine.removed_in IS NULL
  )`;

/** Whether the player's tenant has the file for the player: its own by assignment, an application where that reaches it. */
const given = (player: OfTenant) => Prisma.sql`
  CASE WHEN file.partner_id = ${operator}
    THEN ${isReached(player.partnerId)} AND (file.sale_type = ${deliveryType} OR ${assigned(player)})
    ELSE ${assigned(player)} END`;

/** The files that can be the tenant's: its own, and the operator's, of which \`given\` has those that reach it. */
const ofTenantOrOperator = (partnerId: number) =>
  Prisma.sql`file.partner_id = ANY (ARRAY[${partnerId}, ${operator}]::integer[])`;

const isDelivered = (now: Date | Prisma.Sql) => Prisma.sql`
  (NOT file.deleted AND file.current_version_id IS NOT NULL
    AND coalesce(file.deliver_reservation_at <= ${now}, true))`;

/** Whether the file is the same as after the change and at the time of `since`. */
const isUnchanged = (since: Moment, now: Date) => Prisma.sql`
  (file.changed_in <= CASE WHEN file.partner_id = ${operator} THEN ${since.applications}::bigint ELSE ${since.change}::bigint END
    AND NOT coalesce(file.deliver_reservation_at > ${new Date(since.time)} AND file.deliver_reservation_at <= ${now}, false)
    AND NOT coalesce(file.update_reservation_at > ${new Date(since.time)} AND file.update_reservation_at <= ${now}, false))`;

/** The ids of all that is delivered to the player, ascending. */
export async function deliveredIds(db: RawQueries, player: Player, now: Date): Promise<number[]> {
  const ids = await givenIds(db, player, now);
  const chosen = await chosenLayers(db, player, await plansOf(db, player.partnerId, ids, now));
  return ids.filter((id) => chosen.get(id) !== null);
}

/** The ids of all that is delivered, ascending; stages may have other versions of some for a player, or nothing. */
export async function givenIds(db: RawQueries, whose: Whose, now: Date): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    WITH ${keptPlan} ${mine(whose)}
    SELECT file.id FROM files file
    WHERE file.partner_id = ${whose.partnerId} AND ${isDelivered(now)} AND ${assigned(whose)}
    UNION ALL SELECT file.id FROM files file
    WHERE file.partner_id = ${operator} AND file.id IN ${reachedIds(whose.partnerId)}
      AND ${isDelivered(now)} AND ${given(whose)}
    ORDER BY id`;
  return rows.map(({ id }) => id);
}

/** What may have become different since a moment, for everyone of a tenant or for all who are in the same groups. */
export interface MaybeChanged {
  /** Ascending. */
  readonly files: readonly ChangedFile[];
  readonly plans: ReadonlyMap<number, StoredPlan>;
}

/** A file as it is now, and as it was. */
interface ChangedFile extends State {
  readonly id: number;
  /** Whether it is delivered to those who have it. */
  readonly delivered: boolean;
  /** The groups that have it, of those that were asked for; 0 is everyone. */
  readonly groupIds: readonly number[];
  /** Those that had it. */
  readonly groupIdsThen: readonly number[];
}

interface State {
  readonly unchanged: boolean;
  /** Whether the time of its delivery had come. */
  readonly wasDue: boolean;
}

/** Files and their groups. What is more is read for the groups of who asks alone. */
const mostForEveryone = 10_000;

/**
 * What may have become different since a moment for everyone of a tenant whose groups have stayed the same; undefined: too much to
 * remember. Only what may have changed is looked at, so the cost follows the changes.
 */
export async function changedForEveryone(
  db: RawQueries,
  tenant: OfTenant,
  since: Moment,
  moment: TenantMoment,
): Promise<MaybeChanged | undefined> {
  const rows = await changedSince(db, tenant, since, moment, mostForEveryone + 1);
  return rows.length > mostForEveryone ? undefined : withPlans(db, tenant, byFile(rows), moment.now);
}

/** The same for all who are in the same groups, and were. */
export async function changedInGroups(
  db: RawQueries,
  whose: InGroups,
  since: Moment,
  moment: TenantMoment,
): Promise<MaybeChanged> {
  const files =
    since.change === beginning.change
      ? (await givenIds(db, whose, moment.now)).map((id) => ({ id, ...isNew }))
      : byFile(await changedSince(db, whose, since, moment));
  return withPlans(db, whose, files, moment.now);
}

const isNew = { delivered: true, groupIds: [0], groupIdsThen: [], unchanged: false, wasDue: true };

async function withPlans(
  db: RawQueries,
  { partnerId }: OfTenant,
  files: readonly ChangedFile[],
  now: Date,
): Promise<MaybeChanged> {
  const ids = files.map(({ id }) => id);
  return { files, plans: await plansOf(db, partnerId, ids, now) };
}

/** A file that may have changed, and a group that has it or had it. */
interface ChangedRow extends State {
  readonly id: number;
  readonly delivered: boolean;
  /** Null: none. */
  readonly groupId: number | null;
  readonly has: boolean;
  readonly had: boolean;
}

async function changedSince(
  db: RawQueries,
  whose: OfTenant | InGroups,
  since: Moment,
  { now, pending }: Pick<TenantMoment, 'now' | 'pending'>,
  limit?: number,
): Promise<ChangedRow[]> {
  const { partnerId } = whose;
  const { change } = since;
  const time = new Date(since.time);
  const begun = pending
    .filter((rollout) => rolloutAt(rollout, rollout.course, now) !== rollout)
    .map(({ fileId }) => fileId);
  const areAsked = 'groups' in whose;
  // Each of its parts by the index of what it asks for: to sort them all by file, PostgreSQL would read all that a tenant has assigned.
  return db.$queryRaw<ChangedRow[]>`
    WITH ${keptPlan} ${areAsked ? Prisma.sql`${mine(whose)},` : Prisma.empty} candidate AS MATERIALIZED (
      SELECT id FROM files WHERE partner_id = ${partnerId} AND changed_in > ${change}
      UNION ALL SELECT id FROM files WHERE partner_id = ${partnerId} AND deleted = false
        AND deliver_reservation_at > ${time} AND deliver_reservation_at <= ${now}
      UNION ALL SELECT id FROM files WHERE partner_id = ${partnerId} AND deleted = false
        AND update_reservation_at > ${time} AND update_reservation_at <= ${now}
      UNION ALL SELECT file_id FROM assignments WHERE partner_id = ${partnerId} AND added_in > ${change}
      UNION ALL SELECT file_id FROM assignments WHERE partner_id = ${partnerId} AND removed_in > ${change}
      UNION ALL SELECT unnest(${begun}::integer[])
      UNION ALL SELECT file_id FROM rollouts WHERE partner_id = ANY (ARRAY[${partnerId}, ${operator}]::integer[]) AND last_at > ${time}
      UNION ALL (${maybeReachedSince(partnerId, since)})
      ${areAsked ? maybeTheirsSince(partnerId, change) : Prisma.empty}
    ), judged AS MATERIALIZED (
      SELECT file.id, ${isDelivered(now)} AS delivered, ${isUnchanged(since, now)} AS unchanged,
        coalesce(file.deliver_reservation_at <= ${time}, true) AS "wasDue",
        file.partner_id <> ${operator} OR ${isReached(partnerId)} AS reached,
        file.partner_id <> ${operator} OR ${wasReached(partnerId, since)} AS "wasReached",
        file.partner_id = ${operator} AND file.sale_type = ${deliveryType} AS everyone
      FROM (SELECT DISTINCT id FROM candidate) changed JOIN files file ON file.id = changed.id
      WHERE ${ofTenantOrOperator(partnerId)} AND file.completed_at IS NOT NULL
    )
    SELECT judged.id, judged.delivered, judged.unchanged, judged."wasDue",
      CASE WHEN judged.everyone THEN 0 ELSE assignment.group_id END AS "groupId",
      judged.reached AND (judged.everyone OR assignment.removed_in IS NULL) AS has,
      judged."wasReached" AND (judged.everyone OR assignment.added_in <= ${change}) AS had
    FROM judged LEFT JOIN assignments assignment ON NOT judged.everyone
      AND assignment.partner_id = ${partnerId} AND assignment.file_id = judged.id
      AND coalesce(assignment.removed_in > ${change}, true)
      ${areAsked ? Prisma.sql`AND assignment.group_id IN (SELECT group_id FROM mine)` : Prisma.empty}
    ORDER BY judged.id LIMIT ${limit ?? null}::integer`;
}

/** What may have become different for somebody since they came into groups of theirs, or left them. */
const maybeTheirsSince = (partnerId: number, change: number) => Prisma.sql`
  UNION ALL SELECT assignment.file_id FROM assignments assignment JOIN mine ON mine.group_id = assignment.group_id
    WHERE assignment.partner_id = ${partnerId} AND (mine.added_in > ${change} OR mine.removed_in > ${change})
  UNION ALL SELECT rollout.file_id FROM rollouts rollout JOIN mine ON mine.group_id = ANY (rollout.group_ids)
    WHERE rollout.partner_id = ${partnerId} AND rollout.active AND (mine.added_in > ${change} OR mine.removed_in > ${change})`;

const byFile = (rows: readonly ChangedRow[]): ChangedFile[] =>
  [...Map.groupBy(rows, ({ id }) => id)].map(([id, ofFile]) => {
    const [{ delivered, unchanged, wasDue }] = ofFile as [ChangedRow];
    const groupsOf = (some: readonly ChangedRow[]) => some.flatMap(({ groupId }) => groupId ?? []);
    return {
      ...{ id, delivered, unchanged, wasDue },
      groupIds: groupsOf(ofFile.filter(({ has }) => has)),
      groupIdsThen: groupsOf(ofFile.filter(({ had }) => had)),
    };
  });

/**
 * What has become different for somebody since a moment: files that are new or changed, and files that were theirs and are not any more.
 * Ids, ascending.
 */
export function changedFor(
  { files, plans }: MaybeChanged,
  who: KnownPlayer,
  since: Moment,
): { changed: number[]; removed: number[] } {
  const judged = judgedByStages(judgedFor(files, who), plans, who, since);
  return {
    changed: judged
      .filter(({ known, unchanged, visible }) => visible && !(known && unchanged))
      .map(({ id }) => id),
    removed: judged
      .filter(({ known, unchanged, visible, wasDue }) => !visible && known && (!unchanged || wasDue))
      .map(({ id }) => id),
  };
}

/** A file as it is for a player, and as it was. */
interface Judged extends State {
  readonly id: number;
  readonly visible: boolean;
  readonly known: boolean;
}

function judgedFor(files: readonly ChangedFile[], who: KnownPlayer): Judged[] {
  const theirs = new Set([0, ...who.groupIds]);
  const theirsThen = new Set([0, ...who.groupIdsThen]);
  return files.map(({ delivered, groupIds, groupIdsThen, id, unchanged, wasDue }) => ({
    ...{ id, unchanged, wasDue },
    visible: delivered && groupIds.some((groupId) => theirs.has(groupId)),
    known: groupIdsThen.some((groupId) => theirsThen.has(groupId)),
  }));
}

/** What stages make of files whose versions go out in them: some see another version than the others, or nothing. */
function judgedByStages(
  files: readonly Judged[],
  plans: ReadonlyMap<number, StoredPlan>,
  who: KnownPlayer,
  since: Moment,
): readonly Judged[] {
  if (plans.size === 0) return files;
  const then = new Date(since.time);
  return files.map((file) => {
    const plan = plans.get(file.id);
    if (!plan) return file;
    const has = layerOf(plan, who, who.groupIds);
    const had = layerOf(planBefore(plan, then, plan.liveFrom), who, who.groupIdsThen);
    return {
      ...file,
      visible: file.visible && has !== undefined,
      known: file.known && had !== undefined,
      unchanged: file.unchanged && has?.version === had?.version,
    };
  });
}

/** Those of `ids` that are delivered to the player, in the order of their ids. */
export async function deliveredViews(
  db: RawQueries,
  player: Player,
  ids: readonly number[],
  now: Date,
): Promise<DeliveredView[]> {
  if (ids.length === 0) return [];
  return viewsOf(
    db,
    player,
    ids,
    await chosenLayers(db, player, await plansOf(db, player.partnerId, ids, now)),
    now,
  );
}

/**
 * The same with the version of `layers` where that has one; null there: none. Of a tenant rather than a player, also what is not given
 * to everyone.
 */
export async function viewsOf(
  db: RawQueries,
  whose: OfTenant | Whose,
  ids: readonly number[],
  layers: ReadonlyMap<number, Pick<Layer, 'version' | 'versionId'> | null>,
  now: Date,
): Promise<DeliveredView[]> {
  const isOfSomebody = 'groups' in whose || 'userId' in whose;
  const chosen = JSON.stringify(
    [...layers].flatMap(([id, layer]) =>
      layer ? [{ id, versionId: layer.versionId, version: layer.version }] : [],
    ),
  );
  const rows = await db.$queryRaw<(Omit<DeliveredView, 'fileSize'> & { size: bigint })[]>`
    ${isOfSomebody ? Prisma.sql`WITH ${keptPlan} ${mine(whose)} SELECT` : Prisma.sql`SELECT ${keptPlan}`}
      file.id, file.name, file.note, file.file_name AS "fileName",
      coalesce(chosen.version, ${effectiveVersion(now)}) AS version,
      version.size, version.sha256, version.object_key AS "objectKey", version.icon_key AS "iconKey",
      GREATEST(file.completed_at, file.deliver_reservation_at) AS "deliveredAt",
      ${effectiveUpdatedAt(now)} AS "updatedAt", coalesce(reach.devices, 0) AS "reachedDevices",
      GREATEST(CASE WHEN reach.at <= ${now} THEN reach.at END, file.completed_at, file.deliver_reservation_at,
        CASE WHEN file.update_reservation_at <= ${now} THEN file.update_reservation_at END) AS "newSince"
    FROM files file
    LEFT JOIN reach_counts reach ON reach.partner_id = ${whose.partnerId} AND reach.file_id = file.id
    LEFT JOIN jsonb_to_recordset(${chosen}::jsonb) AS chosen (id integer, "versionId" integer, version integer)
      ON chosen.id = file.id
    JOIN versions version ON version.id = coalesce(chosen."versionId", ${effectiveVersionId(now)})
    WHERE ${ofTenantOrOperator(whose.partnerId)} AND file.id = ANY(${ids.filter((id) => layers.get(id) !== null)}::integer[])
      AND ${isDelivered(now)} ${isOfSomebody ? Prisma.sql`AND ${given(whose)}` : Prisma.empty}
    ORDER BY file.id`;
  return rows.map(({ size, ...view }) => ({ ...view, fileSize: Number(size) }));
}

/** Why a file is delivered to a player: a group of theirs, and since when it is so. */
export interface DeliveryReason {
  readonly fileId: number;
  readonly id: number;
  /** Empty for everyone. */
  readonly name: string;
  readonly since: Date;
}

/** Through which groups each of `ids` is delivered to the player, in the order of the groups' ids. */
export async function deliveryReasons(
  db: FileDb,
  player: Player,
  ids: readonly number[],
): Promise<DeliveryReason[]> {
  const { partnerId } = player;
  return db.$queryRaw<DeliveryReason[]>`
    WITH ${mine(player)}
    SELECT file.id AS "fileId", assignment.group_id AS id, coalesce(team.name, '') AS name,
      GREATEST(file.completed_at, file.deliver_reservation_at, assignment.added_at, mine.added_at) AS since
    FROM assignments assignment
    JOIN mine ON mine.group_id = assignment.group_id
    JOIN files file ON file.id = assignment.file_id
    LEFT JOIN groups team ON team.group_id = assignment.group_id
    WHERE assignment.partner_id = ${partnerId} AND ${ofTenantOrOperator(partnerId)}
      AND assignment.file_id = ANY(${[...ids]}::integer[])
      AND assignment.removed_in IS NULL AND mine.removed_in IS NULL
    UNION ALL SELECT file.id AS "fileId", 0 AS id, '' AS name,
      GREATEST(file.completed_at, max(destination.added_at)) AS since
    FROM files file JOIN destinations destination ON destination.file_id = file.id
    WHERE file.partner_id = ${operator} AND file.sale_type = ${deliveryType}
      AND file.id = ANY(${[...ids]}::integer[]) AND destination.removed_in IS NULL
      AND destination.partner_id = ANY (ARRAY[${partnerId}, ${operator}]::integer[]) AND ${isReached(partnerId)}
    GROUP BY file.id
    ORDER BY id`;
}

/** A file that a player will get, or get in a new version, at a time that is ahead. */
export interface AheadView
  extends Pick<DeliveredView, 'id' | 'name' | 'fileName' | 'fileSize' | 'version' | 'iconKey'> {
  /** Null: it is delivered already. */
  readonly deliverAt: Date | null;
  /** Null: no update is ahead. */
  readonly updateAt: Date | null;
  /** By their ids; 0 is everyone, without a name. */
  readonly groups: readonly { id: number; name: string }[];
}

/**
 * One page of what will reach the player as things stand, the next one first, and how much there is. Only files whose time is
 * ahead are looked at; applications have none.
 */
export async function aheadViews(
  db: FileDb,
  player: Player,
  now: Date,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ views: AheadView[]; total: number }> {
  const { partnerId } = player;
  // An update is never before the delivery.
  const next = Prisma.sql`coalesce(times.deliver_at, times.update_at)`;
  const [row] = await db.$queryRaw<{ total: number; views: AheadRow[] }[]>`
    WITH ${mine(player)}, candidate AS (
      SELECT id FROM files WHERE partner_id = ${partnerId} AND deleted = false AND deliver_reservation_at > ${now}
      UNION SELECT id FROM files WHERE partner_id = ${partnerId} AND deleted = false AND update_reservation_at > ${now}
    ), ahead AS (
      SELECT file.id, times.deliver_at, times.update_at, ${next} AS at
      FROM candidate JOIN files file ON file.id = candidate.id CROSS JOIN LATERAL (
        SELECT CASE WHEN NOT ${isDue(now)} THEN file.deliver_reservation_at END AS deliver_at,
          CASE WHEN ${hasUpdateAhead(now)} THEN file.update_reservation_at END AS update_at
      ) times
      WHERE ${next} IS NOT NULL AND ${isDelivered(next)} AND ${assigned(player)}
    ), page AS (SELECT * FROM ahead ORDER BY at, id LIMIT ${perPage} OFFSET ${(page - 1) * perPage})
    SELECT (SELECT count(*)::integer FROM ahead) AS total, coalesce((
      SELECT jsonb_agg(jsonb_build_object(
        'id', file.id, 'name', file.name, 'fileName', file.file_name, 'version', ${effectiveVersion(Prisma.sql`page.at`)},
        'fileSize', version.size, 'iconKey', version.icon_key,
        'deliverAt', extract(epoch FROM page.deliver_at) * 1000, 'updateAt', extract(epoch FROM page.update_at) * 1000,
        'groups', (
          SELECT jsonb_agg(jsonb_build_object('id', assignment.group_id, 'name', coalesce(team.name, ''))
            ORDER BY assignment.group_id)
          FROM assignments assignment JOIN mine ON mine.group_id = assignment.group_id
          LEFT JOIN groups team ON team.group_id = assignment.group_id
          WHERE assignment.partner_id = ${partnerId} AND assignment.file_id = file.id
            AND assignment.removed_in IS NULL AND mine.removed_in IS NULL)
      ) ORDER BY page.at, page.id)
      FROM page JOIN files file ON file.id = page.id
      JOIN versions version ON version.id = ${effectiveVersionId(Prisma.sql`page.at`)}
    ), '[]') AS views`;
  return {
    total: row?.total ?? 0,
    views: (row?.views ?? []).map(({ deliverAt, updateAt, ...view }) => ({
      ...view,
      deliverAt: deliverAt === null ? null : new Date(deliverAt),
      updateAt: updateAt === null ? null : new Date(updateAt),
    })),
  };
}

/** As JSON has it: times in milliseconds. */
type AheadRow = Omit<AheadView, 'deliverAt' | 'updateAt'> & {
  readonly deliverAt: number | null;
  readonly updateAt: number | null;
};

/** What a tenant is at a moment. */
export interface TenantMoment {
  readonly now: Date;
  /** The numbers of its last change and of that of applications, and the stretch around the moment in which nothing comes due. */
  readonly quiet: QuietPeriod;
  /** Stages that may begin by themselves, as they are written down. */
  readonly pending: readonly StoredRollout[];
}

export async function readMoment(db: RawQueries, partnerId: number, now: Date): Promise<TenantMoment> {
  const due = (column: Prisma.Sql) => Prisma.sql`
    SELECT (SELECT max(${column}) FROM files WHERE partner_id = ${partnerId} AND deleted = false AND ${column} <= ${now}) AS last,
      (SELECT min(${column}) FROM files WHERE partner_id = ${partnerId} AND deleted = false AND ${column} > ${now}) AS next`;
  const rollouts = Prisma.sql`FROM rollouts WHERE partner_id = ANY (ARRAY[${partnerId}, ${operator}]::integer[])`;
  const [row] = await db.$queryRaw<
    {
      // Of 64 bits: Prisma and the driver give them in different types.
      change: bigint | string | null;
      applications: bigint | string | null;
      last: Date | null;
      next: Date | null;
      lastStageAt: Date | null;
      hasStages: boolean;
    }[]
  >`
    SELECT ${keptPlan} (SELECT change_counter FROM partners WHERE partner_id = ${partnerId}) AS change,
      (SELECT change_counter FROM partners WHERE partner_id = ${operator}) AS applications,
      max(due.last) AS last, min(due.next) AS next,
      (SELECT max(last_at) ${rollouts}) AS "lastStageAt", EXISTS (SELECT ${rollouts} AND active) AS "hasStages"
    FROM (${due(Prisma.sql`deliver_reservation_at`)} UNION ALL ${due(Prisma.sql`update_reservation_at`)}) due`;
  const pending = row?.hasStages ? await pendingRollouts(db, partnerId, now) : [];
  const reached = pending.map((rollout) => rolloutAt(rollout, rollout.course, now));
  const times = (...some: readonly (Date | null | undefined)[]) =>
    some.flatMap((one) => (one ? [one.getTime()] : []));
  const begun = reached.flatMap(({ stages }) => stages.map(({ startedAt }) => startedAt));
  const stillDue = reached.map((rollout) => dueAt(rollout, rollout.course));
  return {
    now,
    quiet: {
      change: Number(row?.change ?? 0),
      applications: Number(row?.applications ?? 0),
      from: Math.max(0, ...times(row?.last, row?.lastStageAt, ...begun)),
      until: Math.min(Number.POSITIVE_INFINITY, ...times(row?.next, ...stillDue)),
    },
    pending,
  };
}
