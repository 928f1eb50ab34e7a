import { userRoleBits } from '@portal/contracts';
import { findUnit } from '@portal/contracts/internal';
import { AppError, fieldError } from '@portal/kernel';
import type { AdminCaller, Caller, Peers } from '@portal/service-kit';
import { operator } from '@portal/storage';
import { knowPartner } from '../../copies/data/copies-repository.ts';
import type { Uploader } from '../../delivery/use-cases/distribution.ts';
import type { Dependencies } from '../../dependencies.ts';
import { type File, findFile } from '../../files/data/file-repository.ts';
import { deliveryType } from '../data/reach.ts';
import type { Destinations } from '../domain/destinations.ts';

type Scope = Parameters<Dependencies['store']['read']>[0];

/** The administrator who publishes. */
export interface Publisher {
  readonly adminId: number;
  /** Null: of the platform. */
  readonly unitId: number | null;
  /** Whose rows they may see. */
  readonly scope: Scope;
}

export const publisherOf = ({ adminId, unitId }: AdminCaller, scope: Scope): Publisher => ({
  adminId,
  unitId,
  scope,
});

/** Who sends bytes: people of a tenant to its files, administrators to applications, which are files of the operator. */
export function uploaderOf(caller: Caller, scope: Scope): Uploader {
  return caller.kind === 'tenant'
    ? caller
    : { partnerId: operator, accountId: caller.adminId, role: userRoleBits.admin, scope };
}

/** @throws AppError `E40405` for an application that there is not, or that is of another unit */
export async function requireApplication(
  { store }: Pick<Dependencies, 'store'>,
  { scope }: Publisher,
  id: number,
): Promise<File> {
  const file = await store.read(scope, async (db) => findFile(db, operator, id));
  if (!file) throw new AppError('E40405');
  return file;
}

/**
 * The name of the unit that publishes; null: the platform.
 * @throws AppError `E40301` for a unit that may not deliver an application by itself
 */
export async function requirePublishing(
  { peers }: { readonly peers: Peers },
  { unitId }: Publisher,
  saleType: number,
): Promise<string | null> {
  if (unitId === null) return null;
  const unit = await peers.call(findUnit, { body: { unitId } });
  if (saleType === deliveryType && !unit.canForceDistributeApp) {
    throw new AppError('E40301', [], { messageKey: 'forcedDeliveryNotAllowed' });
  }
  return unit.name;
}

/**
 * @param unitId Whose application it is; null: the platform's, which may go to every tenant.
 * @throws AppError on `partnerIds`: `E40402` for a tenant that does not exist, `E40305` for one of another unit
 */
export async function requireReachable(
  deps: Pick<Dependencies, 'clock' | 'store'> & { readonly peers: Peers },
  { scope }: Publisher,
  unitId: number | null,
  destinations: Destinations,
): Promise<void> {
  if (destinations === 'all') return;
  const ids = [...destinations];
  const rows = await deps.store.read(
    scope,
    async (db) => db.$queryRaw<{ id: number }[]>`
      SELECT partner_id AS id FROM partners WHERE partner_id = ANY (${ids}::integer[])
        AND unit_id IS NOT NULL AND (${unitId}::integer IS NULL OR unit_id = ${unitId})`,
  );
  const known = new Set(rows.map(({ id }) => id));
  for (const id of ids) {
    if (known.has(id)) continue;
    // Of another unit, or no event has told of it yet.
    const partner = id === operator ? undefined : await ifThere(knowPartner(deps, id));
    if (!partner) throw fieldError('E40402', 'partnerIds', 'notFound');
    if (unitId !== null && partner.unitId !== unitId)
      throw fieldError('E40305', 'partnerIds', 'invalidValue');
  }
}

async function ifThere<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof AppError && error.code === 'E40402') return undefined;
    throw error;
  }
}
