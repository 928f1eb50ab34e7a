import { foldCase, limits, maxId, type RouteInput, type Selection, type userRoutes } from '@portal/contracts';
import { inTimeRange, likeContaining, searchFor, selectedIds } from '@portal/database';
import type { z } from 'zod';
import type { UserDb } from './db.ts';
import { Prisma } from './generated/client.ts';

const { sql } = Prisma;

export type UserQuery = RouteInput<typeof userRoutes.listUsers>['query'];
export type UserOrderKey = UserQuery['orderKey'];

export type AskedUsers = z.output<typeof userRoutes.userFilters>;

/** What the list of users is filtered by. */
export interface UserFilters {
  /** Conditions on the account `a`. */
  readonly conditions: readonly Prisma.Sql[];
  /** What is asked for, as a text; null where the answer changes with a sign-in. */
  readonly question: string | null;
}

/**
 * The parts of the list, one after the other: with the search box those whom it names by what they begin with, then the
 * others that contain it; else all at once.
 */
export function partsOfList(partnerId: number, asked: AskedUsers): UserFilters[] {
  const { conditions, question } = userFilters(partnerId, asked);
  const search = searchOf(asked);
  if (!search) return [{ conditions, question }];
  const beginning = beginningOf(asked);
  return [
    { conditions: [beginning, ...conditions], question: question && `begins ${question}` },
    {
      // As one condition: of two, PostgreSQL would begin with the second, which nearly all users pass.
      conditions: [sql`CASE WHEN ${search.condition} THEN NOT ${search.first} ELSE false END`, ...conditions],
      question: question && `contains ${question}`,
    },
  ];
}

/**
 * Who comes first, by ranges of texts: row-level security lets an index compare texts, but not look into them. In the order of
 * the database, which is that of bytes, just what begins with a text lies between it and itself with the last characters there are.
 */
function beginningOf({ q = '' }: AskedUsers): Prisma.Sql {
  const folded = foldCase(q);
  const last = folded + '\u{10FFFF}'.repeat(limits.nameMaxLength);
  const ranges = searchedTexts.map((text) => sql`(${text} >= ${folded} AND ${text} <= ${last})`);
  const id = Number(folded);
  const byId = /^[1-9]\d{0,9}$/.test(folded) && id <= maxId ? [sql`a.id = ${id}`] : [];
  return sql`(${Prisma.join([...byId, ...ranges], ' OR ')})`;
}

/** Conditions on the account `a`, without an order: of an export, or of a change of many. */
export function conditionsOn(partnerId: number, asked: AskedUsers): Prisma.Sql {
  const search = searchOf(asked);
  return Prisma.join(
    [
      sql`a.partner_id = ${partnerId} AND a.is_user`,
      ...(search ? [search.condition] : []),
      ...userFilters(partnerId, asked).conditions,
    ],
    ' AND ',
  );
}

/**
 * The ids of the users who are selected, ascending. Throws `E40403` for a user that the partner does not have, `E40034` on
 * expectedCount where the filter shows another number by now.
 */
export async function selectUsers(
  db: UserDb,
  partnerId: number,
  selection: Selection<AskedUsers>,
): Promise<number[]> {
  return selectedIds(db, selection, {
    from: sql`accounts a`,
    id: sql`a.id`,
    where: (asked) => conditionsOn(partnerId, asked),
    all: {},
    unknown: 'E40403',
  });
}

const searchedTexts = [sql`a.name_key`, sql`a.email_key`, sql`a.login_user_id_key`];

function searchOf({ q }: AskedUsers): ReturnType<typeof searchFor> | undefined {
  if (!q) return undefined;
  return searchFor(foldCase(q), { id: sql`a.id`, texts: searchedTexts });
}

/** All but the search box. */
function userFilters(partnerId: number, asked: AskedUsers): UserFilters {
  const { createdAtEnd, createdAtStart, group, groupUnset, id, loginAtEnd, loginAtStart, loginId, name } =
    asked;
  const signedIn = inTimeRange(sql`a.last_login_at`, loginAtStart, loginAtEnd);
  const conditions = [
    ...(id === undefined ? [] : [sql`a.id = ${id}`]),
    ...(name ? [sql`a.name_key LIKE ${likeContaining(foldCase(name))}`] : []),
    ...(loginId ? [loginCondition(likeContaining(foldCase(loginId)))] : []),
    ...(group === undefined ? [] : [groupCondition(partnerId, group)]),
    ...(groupUnset ? [sql`a.group_marks = ''`] : []),
    ...passwordConditions(asked.passwordState),
    ...stateConditions(asked.state),
    ...deviceConditions(partnerId, asked),
    ...inTimeRange(sql`a.created_at`, createdAtStart, createdAtEnd),
    ...signedIn,
  ];
  return { conditions, question: signedIn.length > 0 ? null : JSON.stringify([partnerId, asked]) };
}

function passwordConditions(state: AskedUsers['passwordState']): Prisma.Sql[] {
  if (state === undefined) return [];
  return [state === 'set' ? sql`a.password_set` : sql`NOT a.password_set`];
}

function stateConditions(state: AskedUsers['state']): Prisma.Sql[] {
  if (state === undefined) return [];
  return [state === 'active' ? sql`a.active` : sql`NOT a.active`];
}

function loginCondition(pattern: string): Prisma.Sql {
  return sql`(a.email_key LIKE ${pattern} OR a.login_user_id_key LIKE ${pattern})`;
}

function groupCondition(partnerId: number, groupId: number): Prisma.Sql {
  return sql`(a.group_marks LIKE ${`%,${groupId},%`} OR (a.group_marks IS NULL AND EXISTS (
    SELECT 1 FROM memberships m
    WHERE m.partner_id = ${partnerId} AND m.group_id = ${groupId} AND m.account_id = a.id)))`;
}

/** A user passes when one and the same device of theirs has all that is asked for. */
function deviceConditions(
  partnerId: number,
  device: Pick<UserQuery, 'osType' | 'osVersion' | 'playerVersion'>,
): Prisma.Sql[] {
  const mark = pieceOfMark(device);
  if (mark === null) return [];
  const { osType, osVersion, playerVersion } = device;
  const wanted = [
    ...(osType === undefined ? [] : [sql`AND d.os_type = ${osType}`]),
    ...(osVersion === undefined ? [] : [sql`AND d.os_version = ${osVersion}`]),
    ...(playerVersion === undefined ? [] : [sql`AND d.player_version = ${playerVersion}`]),
  ];
  return [
    sql`(a.platform_marks LIKE ${likeContaining(mark)} OR (a.platform_marks IS NULL AND EXISTS (
      SELECT 1 FROM devices d
      WHERE d.partner_id = ${partnerId} AND d.account_id = a.id ${Prisma.join(wanted, ' ')})))`,
  ];
}

/** The piece that the database's `platform_mark` writes for such a device and no other. */
function pieceOfMark({
  osType,
  osVersion,
  playerVersion,
}: Pick<UserQuery, 'osType' | 'osVersion' | 'playerVersion'>): string | null {
  const fields = [osType, osVersion, playerVersion, osType];
  const isAroundTheEnd = osVersion === undefined && playerVersion !== undefined;
  const first = isAroundTheEnd ? 2 : fields.findIndex((field) => field !== undefined);
  if (first === -1) return null;
  let piece = edges[first] ?? '';
  for (let i = first; fields[i] !== undefined; i++) piece += `${fields[i]}${edges[i + 1]}`;
  return piece;
}

/** What is around the fields of a mark: no text has such characters. */
const edges = ['\x1e', '\x1f', '\x1d', '\x1c', '\x1e'];
