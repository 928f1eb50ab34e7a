import { foldCase, type RouteInput, type userRoutes } from '@portal/contracts';
import { inTimeRange, likeContaining } from '@portal/database';
import { Prisma } from './generated/client.ts';

const { sql } = Prisma;

export type UserQuery = RouteInput<typeof userRoutes.listUsers>['query'];
export type UserOrderKey = UserQuery['orderKey'];

/** What the list of users is filtered by. */
export interface UserFilters {
  /** Conditions on the account `a`. */
  readonly conditions: readonly Prisma.Sql[];
  /** What is asked for, as a text; null where the answer changes with a sign-in. */
  readonly question: string | null;
}

export function userFilters(partnerId: number, query: UserQuery): UserFilters {
  const { order: _order, orderKey: _orderKey, page: _page, perPage: _perPage, ...asked } = query;
  const { createdAtEnd, createdAtStart, group, groupUnset, id, loginAtEnd, loginAtStart, loginId, name } =
    asked;
  const signedIn = inTimeRange(sql`a.last_login_at`, loginAtStart, loginAtEnd);
  const conditions = [
    ...(id === undefined ? [] : [sql`a.id = ${id}`]),
    ...(name ? [sql`a.name_key LIKE ${likeContaining(foldCase(name))}`] : []),
    ...(loginId ? [loginCondition(likeContaining(foldCase(loginId)))] : []),
    ...(group === undefined ? [] : [groupCondition(partnerId, group)]),
    ...(groupUnset ? [sql`a.group_marks = ''`] : []),
    ...deviceConditions(partnerId, asked),
    ...inTimeRange(sql`a.created_at`, createdAtStart, createdAtEnd),
    ...signedIn,
  ];
  return { conditions, question: signedIn.length > 0 ? null : JSON.stringify([partnerId, asked]) };
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
