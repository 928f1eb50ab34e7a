import {
  changeProvisionedGroup,
  changeProvisionedUser,
  createProvisionedGroup,
  createProvisionedUser,
  deleteProvisionedGroup,
  deleteProvisionedUser,
  getProvisionedGroup,
  getProvisionedUser,
  type ProvisionedGroup,
  type ProvisionedUser,
} from '@portal/contracts/internal';
import { AppError, fieldError } from '@portal/kernel';
import { type Call, concernsRecord } from '@portal/service-kit';
import type { Given } from '../domain/attributes.ts';
import { type GroupChanges, readGroup, readGroupPatch } from '../domain/group-input.ts';
import { readUser, readUserPatch } from '../domain/user-input.ts';
import { tooMany } from './list-resources.ts';
import type { Tenant } from './tenant.ts';

/** What a client that names the versions that it has seen must not change meanwhile. */
export type Condition = Pick<Call, 'checkVersion' | 'conditional'>;

export async function findUser({ partnerId, peers }: Tenant, id: number): Promise<ProvisionedUser> {
  return peers.call(getProvisionedUser, { body: { partnerId, id } });
}

export async function createUser({ partnerId, peers }: Tenant, given: Given): Promise<ProvisionedUser> {
  const { active = true, ...user } = readUser(given);
  return noted(await peers.call(createProvisionedUser, { body: { partnerId, ...user, active } }));
}

/** Replaces a user; whether they are active stays where nothing is said of it. */
export async function replaceUser(
  tenant: Tenant,
  id: number,
  given: Given,
  condition: Condition,
): Promise<ProvisionedUser> {
  return changeUser(tenant, id, readUser(given), condition);
}

export async function patchUser(
  tenant: Tenant,
  id: number,
  body: Given,
  condition: Condition,
): Promise<ProvisionedUser> {
  return changeUser(tenant, id, readUserPatch(body), condition);
}

async function changeUser(
  tenant: Tenant,
  id: number,
  changes: ReturnType<typeof readUserPatch>,
  condition: Condition,
): Promise<ProvisionedUser> {
  const { partnerId, peers } = tenant;
  if (Object.values(changes).every((value) => value === undefined)) {
    const user = await findUser(tenant, id);
    condition.checkVersion(user.version);
    return user;
  }
  const version = await seenVersion(condition, () => findUser(tenant, id));
  const change = { partnerId, id, version, ...changes };
  return noted(await unchanged(peers.call(changeProvisionedUser, { body: change })));
}

export async function deleteUser(tenant: Tenant, id: number, condition: Condition): Promise<void> {
  const { partnerId, peers } = tenant;
  const version = await seenVersion(condition, () => findUser(tenant, id));
  await unchanged(peers.call(deleteProvisionedUser, { body: { partnerId, id, version } }));
}

export async function findGroup(
  { partnerId, peers }: Tenant,
  id: number,
  withMembers: boolean,
): Promise<ProvisionedGroup> {
  return tooMany(peers.call(getProvisionedGroup, { body: { partnerId, id, withMembers } }));
}

export async function createGroup(
  { partnerId, peers }: Tenant,
  given: Given,
  withMembers: boolean,
): Promise<ProvisionedGroup> {
  const group = { partnerId, ...readGroup(given), withMembers };
  return noted(await knownMembers(peers.call(createProvisionedGroup, { body: group })));
}

export async function replaceGroup(
  tenant: Tenant,
  id: number,
  given: Given,
  options: { readonly condition: Condition; readonly withMembers: boolean },
): Promise<ProvisionedGroup> {
  const { memberIds: keepOnly, ...fields } = readGroup(given);
  return changeGroup(tenant, id, { ...fields, keepOnly }, options);
}

export async function patchGroup(
  tenant: Tenant,
  id: number,
  body: Given,
  options: { readonly condition: Condition; readonly withMembers: boolean },
): Promise<ProvisionedGroup> {
  return changeGroup(tenant, id, readGroupPatch(body), options);
}

async function changeGroup(
  tenant: Tenant,
  id: number,
  changes: GroupChanges,
  { condition, withMembers }: { readonly condition: Condition; readonly withMembers: boolean },
): Promise<ProvisionedGroup> {
  const { partnerId, peers } = tenant;
  const version = await seenVersion(condition, () => findGroup(tenant, id, false));
  const change = { partnerId, id, version, ...changes, withMembers };
  return noted(await unchanged(tooMany(knownMembers(peers.call(changeProvisionedGroup, { body: change })))));
}

export async function deleteGroup(tenant: Tenant, id: number, condition: Condition): Promise<void> {
  const { partnerId, peers } = tenant;
  const version = await seenVersion(condition, () => findGroup(tenant, id, false));
  await unchanged(peers.call(deleteProvisionedGroup, { body: { partnerId, id, version } }));
}

/** The version that a change is made to, where the client names one; it is asked for only then. */
async function seenVersion(
  { checkVersion, conditional }: Condition,
  find: () => Promise<{ readonly version: string }>,
): Promise<string | undefined> {
  if (!conditional) return undefined;
  const { version } = await find();
  checkVersion(version);
  return version;
}

/** What the operation log names. */
function noted<R extends { readonly id: number; readonly name: string }>(resource: R): R {
  concernsRecord(resource);
  return resource;
}

/** Somebody else was quicker. */
async function unchanged<T>(changing: Promise<T>): Promise<T> {
  return changing.catch((error: unknown) => {
    const isOther = error instanceof AppError && error.code === 'E40034';
    throw isOther ? new AppError('E40034', [], { status: 412 }) : error;
  });
}

/** A member that is not there is a wrong value of the group, which is. */
async function knownMembers<T>(changing: Promise<T>): Promise<T> {
  return changing.catch((error: unknown) => {
    const isUnknown = error instanceof AppError && error.code === 'E40403';
    throw isUnknown ? fieldError('E40002', 'members', 'notFound') : error;
  });
}
