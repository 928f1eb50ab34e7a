import { keptPlan, type RawQueries } from '@portal/database';
import { operator } from '@portal/storage';
import type { FileDb } from '../../data/db.ts';
import { Prisma } from '../../data/generated/client.ts';
import type { Change } from '../../files/data/changes.ts';
import { turnOf } from '../domain/place.ts';
import { isPlain, type Layer, type Plan, planOf } from '../domain/plan.ts';
import { type Course, dueAt, type Rollout, rolloutAt, type Stage } from '../domain/rollout.ts';

/** A rollout as it is written down, with what it depends on. */
export interface StoredRollout extends Rollout {
  readonly id: number;
  readonly partnerId: number;
  readonly fileId: number;
  readonly versionId: number;
  /** That of its version; of one that is not live, the one that it is to get. */
  readonly version: number;
  readonly isLive: boolean;
  /** Whether it is written down that it is. */
  readonly isWritten: boolean;
  readonly active: boolean;
  readonly lastAt: Date | null;
  readonly haltedAt: Date | null;
  readonly haltedBy: number | null;
  readonly haltedByName: string | null;
  readonly round: number;
  readonly reports: number;
  readonly failures: number;
  readonly course: Course;
}

/** As the row has it: dates of stages are texts. */
interface Row extends Omit<StoredRollout, 'course' | 'halt' | 'stages'>, Course {
  readonly stages: readonly (Omit<Stage, 'startedAt'> & { startedAt: string | null })[];
  readonly failurePercent: number | null;
  readonly minReports: number | null;
}

const { sql } = Prisma;

/** Rollouts of the tenant's files, and of applications, which their publisher sends out in stages. */
const inReachOf = (partnerId: number) =>
  sql`rollout.partner_id = ANY (ARRAY[${partnerId}, ${operator}]::integer[])`;

/** Whether the reserved version of `file` has taken the place of the current one, written down or not. */
const isDue = (now: Date) =>
  sql`(file.reserved_version_id IS NOT NULL AND coalesce(file.update_reservation_at <= ${now}, false))`;
/** From when on it does; a version whose bytes came later, from then on. */
const dueFrom = sql`greatest(file.update_reservation_at, reserved.completed_at)`;

/**
 * Rollouts of versions of files that are not deleted, as they are written down. A reserved version whose time has come is live.
 * That of one that was taken back is not among them.
 */
async function readRollouts(db: RawQueries, condition: Prisma.Sql, now: Date): Promise<StoredRollout[]> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT ${keptPlan} rollout.id, rollout.partner_id AS "partnerId", rollout.file_id AS "fileId", rollout.version_id AS "versionId",
      coalesce(rollout.number, file.version + 1) AS version,
      rollout.number IS NOT NULL AS "isWritten", rollout.number IS NOT NULL OR (rollout.version_id = file.reserved_version_id AND ${isDue(now)}) AS "isLive",
      rollout.active, rollout.stages, rollout.failure_percent AS "failurePercent", rollout.min_reports AS "minReports",
      rollout.keeps, rollout.state, rollout.waits_from AS "waitsFrom", rollout.last_at AS "lastAt",
      rollout.halted_at AS "haltedAt", rollout.halted_by AS "haltedBy", rollout.halted_by_name AS "haltedByName",
      rollout.round, rollout.reports, rollout.failures, rollout.created_at AS "createdAt",
      coalesce(version.live_from, CASE WHEN rollout.version_id = file.reserved_version_id THEN ${dueFrom} END) AS "liveFrom",
      coalesce(version.live_until, CASE WHEN rollout.version_id = file.current_version_id AND ${isDue(now)} THEN ${dueFrom} END)
        AS "liveUntil",
      file.deliver_reservation_at AS "deliverAt",
      CASE WHEN file.partner_id = ${operator} THEN file.completed_at ELSE file.assigned_at END AS "assignedAt"
    FROM rollouts rollout
    JOIN files file ON file.id = rollout.file_id
    JOIN versions version ON version.id = rollout.version_id
    LEFT JOIN versions reserved ON reserved.id = file.reserved_version_id
    WHERE rollout.state <> 'ended' AND NOT file.deleted AND version.status <> 'aborted' AND ${condition}
    ORDER BY rollout.file_id, version DESC`;
  return rows.map(
    ({
      assignedAt,
      createdAt,
      deliverAt,
      failurePercent,
      liveFrom,
      liveUntil,
      minReports,
      stages,
      ...row
    }) => ({
      ...row,
      halt: failurePercent === null || minReports === null ? null : { failurePercent, minReports },
      stages: stages.map((stage) => ({
        ...stage,
        startedAt: stage.startedAt === null ? null : new Date(stage.startedAt),
      })),
      course: { assignedAt, createdAt, deliverAt, liveFrom, liveUntil },
    }),
  );
}

/** As they are at `now`. */
const current = (rollouts: readonly StoredRollout[], now: Date): StoredRollout[] =>
  rollouts.map((rollout) => rolloutAt(rollout, rollout.course, now));

/** Those of versions, by the ids of these, as they are at `now`. */
export async function rolloutsOfVersions(
  db: FileDb,
  partnerId: number,
  versionIds: readonly number[],
  now: Date,
): Promise<Map<number, StoredRollout>> {
  if (versionIds.length === 0) return new Map();
  const found = await readRollouts(
    db,
    sql`${inReachOf(partnerId)} AND rollout.version_id = ANY (${[...versionIds]}::integer[])`,
    now,
  );
  return new Map(current(found, now).map((rollout) => [rollout.versionId, rollout]));
}

/** Those of versions of files by their numbers, ever live, as they are at `now`. */
export async function rolloutsOfNumbers(
  db: RawQueries,
  partnerId: number,
  asked: readonly { readonly fileId: number; readonly version: number }[],
  now: Date,
): Promise<StoredRollout[]> {
  if (asked.length === 0) return [];
  const files = [...new Set(asked.map(({ fileId }) => fileId))];
  const found = await readRollouts(
    db,
    sql`${inReachOf(partnerId)} AND rollout.file_id = ANY (${files}::integer[])`,
    now,
  );
  const wanted = new Set(asked.map(({ fileId, version }) => `${fileId} ${version}`));
  return current(
    found.filter(({ fileId, isLive, version }) => isLive && wanted.has(`${fileId} ${version}`)),
    now,
  );
}

/** Of all rollouts of a file, as they are written down: the newest version first. */
export async function storedRollouts(
  { db, partnerId }: Pick<Change, 'db' | 'partnerId'>,
  fileId: number,
  now: Date,
): Promise<StoredRollout[]> {
  return readRollouts(db, sql`rollout.partner_id = ${partnerId} AND rollout.file_id = ${fileId}`, now);
}

/** Those of what the tenant has with stages that may begin by themselves. */
export async function pendingRollouts(
  db: RawQueries,
  partnerId: number,
  now: Date,
): Promise<StoredRollout[]> {
  return readRollouts(
    db,
    sql`${inReachOf(partnerId)} AND rollout.active AND rollout.state = 'open' AND ${hasStageLeft}
      AND (rollout.number IS NOT NULL OR rollout.version_id = file.reserved_version_id)`,
    now,
  );
}

const hasStageLeft = sql`jsonb_path_exists(rollout.stages, '$[*].startedAt ? (@ == null)')`;

/** Of all tenants: files with a stage whose time has come, and when the next begins by itself; null where none does. */
export async function findPending(
  db: FileDb,
  now: Date,
): Promise<{ due: { readonly id: number; readonly partnerId: number }[]; next: Date | null }> {
  const [ahead] = await db.$queryRaw<{ next: Date | null }[]>`
    SELECT min(next_at) AS next FROM rollouts WHERE next_at > ${now}`;
  const found = await readRollouts(db, sql`rollout.next_at <= ${now}`, now);
  const due: { id: number; partnerId: number }[] = [];
  let next = ahead?.next ?? null;
  for (const { course, fileId: id, partnerId, ...rollout } of found) {
    const at = dueAt(rollout, course);
    if (at === null) continue;
    if (at <= now) due.push({ id, partnerId });
    else if (next === null || at < next) next = at;
  }
  return { due, next };
}

/**
 * Holds the stages of applications among these to the end of the transaction: the devices of all their tenants are counted in
 * one row. Answers whether there are any; what was read of them before may be another by now.
 */
export async function holdShared(db: RawQueries, rollouts: readonly StoredRollout[]): Promise<boolean> {
  const ids = rollouts.flatMap(({ id, partnerId }) => (partnerId === operator ? [id] : []));
  if (ids.length === 0) return false;
  await db.$executeRaw`SELECT FROM rollouts WHERE id = ANY (${ids}::integer[]) ORDER BY id FOR UPDATE`;
  return true;
}

/** A plan with the times at which its versions went live. */
export interface StoredPlan extends Plan {
  liveFrom(layer: Layer): Date;
}

/**
 * Who gets which version of those of `fileIds` whose versions go out in stages, as it is at `now`. Of all other files everyone gets
 * the current version.
 */
export async function plansOf(
  db: RawQueries,
  partnerId: number,
  fileIds: readonly number[],
  now: Date,
): Promise<Map<number, StoredPlan>> {
  if (fileIds.length === 0) return new Map();
  const found = await readRollouts(
    db,
    sql`${inReachOf(partnerId)} AND rollout.active AND rollout.file_id = ANY (${[...fileIds]}::integer[])`,
    now,
  );
  const live = current(
    found.filter(({ isLive }) => isLive),
    now,
  );
  if (live.length === 0) return new Map();
  const staged = [...new Set(live.map(({ fileId }) => fileId))];
  const versions = await db.$queryRaw<
    { id: number; fileId: number; version: number; liveFrom: Date | null }[]
  >`
    SELECT ${keptPlan} version.id, version.file_id AS "fileId", coalesce(version.number, file.version + 1) AS version,
      coalesce(version.live_from, ${dueFrom}) AS "liveFrom"
    FROM files file JOIN versions version ON version.file_id = file.id
    LEFT JOIN versions reserved ON reserved.id = file.reserved_version_id
    WHERE file.id = ANY (${staged}::integer[]) AND version.status = 'complete'
      AND (version.number >= coalesce(file.base_version, file.version) OR (version.id = file.reserved_version_id AND ${isDue(now)}))
      AND NOT version.released
    ORDER BY version DESC`;
  const byVersion = new Map(live.map((rollout) => [rollout.versionId, rollout]));
  return new Map(
    staged.map((fileId) => {
      const ofFile = versions.filter((version) => version.fileId === fileId);
      const times = new Map(ofFile.map(({ liveFrom, version }) => [version, liveFrom]));
      const layers = ofFile.map(({ id, version }) => ({
        version,
        versionId: id,
        turn: turnOf({ fileId, version }),
        rollout: byVersion.get(id) ?? null,
      }));
      const plan = planOf(fileId, layers);
      return [fileId, { ...plan, liveFrom: ({ version }) => times.get(version) ?? new Date(0) }];
    }),
  );
}

/** Who gets which version of a file, where not all have the current one. */
export async function findPlan(
  db: FileDb,
  { fileId, partnerId }: { readonly partnerId: number; readonly fileId: number },
  now: Date,
): Promise<Plan | undefined> {
  const plan = (await plansOf(db, partnerId, [fileId], now)).get(fileId);
  return plan && !isPlain(plan) ? plan : undefined;
}

/** Dates become texts. */
const storedStages = (stages: readonly Stage[]) =>
  stages.map(({ groupIds, ...stage }) => ({ ...stage, groupIds: groupIds && [...groupIds] }));

/** Makes the rollout of a version, in the place of one that was done or ended. */
export async function saveRollout(
  { db, partnerId }: Change,
  made: {
    readonly fileId: number;
    readonly versionId: number;
    readonly number: number | null;
    readonly stages: readonly Stage[];
    readonly halt: Rollout['halt'];
    readonly keeps: readonly number[];
    readonly now: Date;
  },
): Promise<void> {
  const { halt, now, stages, versionId, ...fields } = made;
  const data = {
    ...fields,
    keeps: [...made.keeps],
    partnerId,
    stages: storedStages(stages),
    groupIds: [...new Set([...made.keeps, ...stages.flatMap(({ groupIds }) => groupIds ?? [])])],
    failurePercent: halt?.failurePercent ?? null,
    minReports: halt?.minReports ?? null,
    state: 'open',
    active: true,
    waitsFrom: null,
    haltedAt: null,
    haltedBy: null,
    haltedByName: null,
    createdAt: now,
  };
  const known = await db.rollout.findUnique({ where: { versionId }, select: { round: true } });
  await (known
    ? db.rollout.update({
        where: { versionId },
        data: { ...data, round: known.round + 1, reports: 0, failures: 0 },
      })
    : db.rollout.create({ data: { ...data, versionId } }));
}

/** Writes down how far a rollout is. What is counted is not touched. */
export async function saveCourse(
  { db, partnerId }: Change,
  { id, keeps, stages, state, waitsFrom }: StoredRollout,
  more: Prisma.RolloutUpdateInput = {},
): Promise<void> {
  const lastAt = stages.reduce<Date | null>(
    (last, { startedAt }) => (startedAt !== null && (last === null || startedAt > last) ? startedAt : last),
    null,
  );
  await db.rollout.update({
    where: { id, partnerId },
    data: {
      keeps: [...keeps],
      stages: storedStages(stages),
      state,
      waitsFrom,
      lastAt,
      ...more,
    },
  });
}

/** The stages of a version that is not live yet are those of another one. */
export async function copyPlan(
  { db, partnerId }: Change,
  from: number,
  versionId: number,
  now: Date,
): Promise<void> {
  const known = await db.rollout.findFirst({ where: { partnerId, versionId: from, number: null } });
  if (!known) return;
  const { fileId, failurePercent, groupIds, keeps, minReports, stages } = known;
  const data = { fileId, failurePercent, groupIds, keeps, minReports, partnerId, versionId };
  await db.rollout.create({
    data: { ...data, stages: stages as Prisma.InputJsonValue, createdAt: now },
  });
}

/** A version that is not live has no stages. */
export async function dropPlan({ db, partnerId }: Change, versionId: number): Promise<void> {
  await db.rollout.deleteMany({ where: { partnerId, versionId, number: null } });
}

/** Gives the rollout of a version that goes live its number. */
export async function numberRollout(
  { db, partnerId }: Change,
  versionId: number,
  number: number,
): Promise<void> {
  await db.rollout.updateMany({ where: { partnerId, versionId }, data: { number } });
}

/** Everyone gets the version: its stages decide about nobody any more. */
export async function endRollout({ db, partnerId }: Change, versionId: number): Promise<void> {
  await db.rollout.updateMany({ where: { partnerId, versionId }, data: { state: 'ended', active: false } });
}

/** Says which versions of a file decide: those from `base` on; null: none. */
export async function keepLayersFrom(
  { db, partnerId }: Change,
  fileId: number,
  base: number | null,
): Promise<void> {
  await db.rollout.updateMany({
    where: { partnerId, fileId, number: base === null ? { not: null } : { lt: base } },
    data: { active: false },
  });
  if (base !== null) {
    // They do so again where a version that everyone had gets stages for groups that are added.
    await db.rollout.updateMany({
      where: { partnerId, fileId, number: { gte: base }, active: false, state: { not: 'ended' } },
      data: { active: true },
    });
  }
  await db.file.updateMany({ where: { id: fileId, partnerId }, data: { baseVersion: base } });
}

/** From now on what is told of the file is counted by places, too. `lockDelivery` is to be held. */
export async function countByPlaces({ db, partnerId }: Change, fileId: number): Promise<void> {
  const { count } = await db.file.updateMany({
    where: { id: fileId, partnerId, isStaged: false },
    data: { isStaged: true },
  });
  if (count === 0) return;
  await db.$executeRaw`
    INSERT INTO place_counts (file_id, version, audience_id, status, place, partner_id, count)
    SELECT receipt.file_id, receipt.version, receipt.audience_id, receipt.status, device.place, receipt.partner_id, count(*)
    FROM receipts receipt JOIN devices device ON device.id = receipt.device_id
    WHERE receipt.partner_id = ${partnerId} AND receipt.file_id = ${fileId} AND receipt.audience_id IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5, 6`;
}
