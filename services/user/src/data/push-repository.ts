import type { PushServiceName } from '@portal/contracts';
import type { UserDb } from './db.ts';

/** Which devices push notifications reach. The push tokens themselves are the push service's. */

/** A device of a tenant, in one of its registrations. */
export interface RegisteredDevice {
  readonly uuid: string;
  readonly accountId: number;
  readonly registration: number;
}

/** A change of a device's push token, which events number. */
interface NumberedChange extends RegisteredDevice {
  readonly number: number;
}

interface ChangedRow extends RegisteredDevice {
  readonly number: bigint;
}

const numbered = ({ number, ...device }: ChangedRow): NumberedChange => ({
  ...device,
  number: Number(number),
});

/** Keeps that a device told a push token in a session. Null where it is not this account's. */
export async function savePush(
  db: UserDb,
  device: { readonly partnerId: number; readonly accountId: number; readonly uuid: string },
  { service, sessionId }: { readonly service: PushServiceName; readonly sessionId: string },
): Promise<NumberedChange | null> {
  const { accountId, partnerId, uuid } = device;
  const [changed] = await db.$queryRaw<ChangedRow[]>`
    UPDATE devices SET push_service = ${service}, push_session = ${sessionId}::uuid, push_token = NULL,
      push_number = nextval('push_numbers')
    WHERE partner_id = ${partnerId} AND uuid = ${uuid} AND account_id = ${accountId}
    RETURNING uuid, account_id AS "accountId", registration, push_number AS number`;
  return changed ? numbered(changed) : null;
}

/** Keeps that a device has no push token any more. Null where it had none. */
export async function clearPush(
  db: UserDb,
  device: { readonly partnerId: number; readonly accountId: number; readonly uuid: string },
): Promise<NumberedChange | null> {
  const { accountId, partnerId, uuid } = device;
  const [changed] = await db.$queryRaw<ChangedRow[]>`
    UPDATE devices SET push_service = NULL, push_session = NULL, push_number = NULL, push_token = NULL
    WHERE partner_id = ${partnerId} AND uuid = ${uuid} AND account_id = ${accountId} AND push_number IS NOT NULL
    RETURNING uuid, account_id AS "accountId", registration, nextval('push_numbers') AS number`;
  return changed ? numbered(changed) : null;
}

/** The sessions of players that ended, each with its device. */
export interface EndedPlayerSession {
  readonly sessionId: string;
  readonly uuid: string;
  readonly registration: number;
}

/**
 * Takes their push tokens from devices that have signed out: what was told in the session that ended, or in an earlier one; ids of
 * sessions are in the order of their beginning. Answers which devices had one.
 */
export async function clearPushOfSessions(
  db: UserDb,
  partnerId: number,
  sessions: readonly EndedPlayerSession[],
): Promise<NumberedChange[]> {
  const changed = await db.$queryRaw<ChangedRow[]>`
    WITH ended AS (
      SELECT DISTINCT ON (uuid, registration) uuid, registration, "sessionId" AS session
      FROM jsonb_to_recordset(${JSON.stringify(sessions)}::jsonb) AS one (uuid text, registration integer, "sessionId" uuid)
      ORDER BY uuid, registration, "sessionId" DESC)
    UPDATE devices SET push_service = NULL, push_session = NULL, push_number = NULL
    FROM ended
    WHERE partner_id = ${partnerId} AND devices.uuid = ended.uuid AND devices.registration = ended.registration
      AND push_number IS NOT NULL AND (push_session IS NULL OR push_session <= ended.session)
    RETURNING devices.uuid, account_id AS "accountId", devices.registration, nextval('push_numbers') AS number`;
  return changed.map(numbered);
}

/** Keeps that the push token of this number does not reach its device any more; one that was told later stays. */
export async function forgetPush(
  db: UserDb,
  device: { readonly partnerId: number; readonly uuid: string },
  number: number,
): Promise<void> {
  await db.device.updateMany({
    where: { ...device, pushNumber: { lte: number } },
    data: { pushService: null, pushSession: null, pushNumber: null },
  });
}

/** Gives the push token of a device to its new registration, in which nobody has told one yet. */
export async function passPushOn(
  db: UserDb,
  device: { readonly partnerId: number; readonly uuid: string },
  { pushService, pushSession }: { readonly pushService: string | null; readonly pushSession: string | null },
): Promise<number> {
  const { partnerId, uuid } = device;
  const [changed] = await db.$queryRaw<{ number: bigint }[]>`
    UPDATE devices SET push_service = ${pushService}, push_session = ${pushSession}::uuid,
      push_number = nextval('push_numbers')
    WHERE partner_id = ${partnerId} AND uuid = ${uuid}
    RETURNING push_number AS number`;
  return Number(changed?.number);
}

interface KeptToken extends NumberedChange {
  readonly partnerId: number;
  readonly service: string;
  readonly token: string;
}

/**
 * Takes some of the push tokens that the version before has kept, and numbers them. Answers null where none is left, and leaves
 * out those whose device has told another one since.
 */
export async function takeKeptTokens(db: UserDb, most: number): Promise<KeptToken[] | null> {
  const taken = await db.$queryRaw<
    (ChangedRow & Omit<KeptToken, keyof NumberedChange> & { isNew: boolean })[]
  >`
    WITH kept AS (
      SELECT partner_id, uuid, push_token AS token, push_number IS NULL AND push_service IS NOT NULL AS "isNew"
      FROM devices WHERE push_token IS NOT NULL
      ORDER BY registration LIMIT ${most} FOR UPDATE SKIP LOCKED)
    UPDATE devices SET push_token = NULL,
      push_number = CASE WHEN kept."isNew" THEN nextval('push_numbers') ELSE push_number END
    FROM kept WHERE devices.partner_id = kept.partner_id AND devices.uuid = kept.uuid
    RETURNING devices.partner_id AS "partnerId", devices.uuid, account_id AS "accountId", registration,
      push_number AS number, push_service AS service, kept.token, kept."isNew"`;
  if (taken.length === 0) return null;
  return taken.flatMap(({ isNew, number, ...device }) =>
    isNew ? [{ ...device, number: Number(number) }] : [],
  );
}
