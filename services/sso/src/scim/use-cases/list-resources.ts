import { listProvisionedGroups, listProvisionedUsers } from '@portal/contracts/internal';
import { AppError, fieldError } from '@portal/kernel';
import {
  directionOf,
  filterOf,
  groupOrderOf,
  type ListAsked,
  listResponse,
  userOrderOf,
  windowOf,
} from '../domain/list.ts';
import { groupResource, type Resource, userResource } from '../domain/resources.ts';
import { isShown, type Shown, show } from '../domain/selection.ts';
import type { Tenant } from './tenant.ts';

interface Window {
  readonly skip: number;
  readonly take: number;
}

type Found = Promise<{ readonly total: number; readonly resources: readonly Resource[] }>;

async function usersIn(tenant: Tenant, asked: ListAsked, shown: Shown, window: Window): Found {
  const { totalCount: total, users } = await tenant.peers.call(listProvisionedUsers, {
    body: {
      partnerId: tenant.partnerId,
      filter: filterOf(asked, 'user'),
      orderBy: userOrderOf(asked.sortBy),
      order: directionOf(asked),
      ...window,
    },
  });
  return { total, resources: users.map((user) => show(userResource(tenant.root, user), shown)) };
}

async function groupsIn(tenant: Tenant, asked: ListAsked, shown: Shown, window: Window): Found {
  const { groups, totalCount: total } = await tooMany(
    tenant.peers.call(listProvisionedGroups, {
      body: {
        partnerId: tenant.partnerId,
        filter: filterOf(asked, 'group'),
        orderBy: groupOrderOf(asked.sortBy),
        order: directionOf(asked),
        withMembers: isShown('members', shown),
        ...window,
      },
    }),
  );
  return { total, resources: groups.map((group) => show(groupResource(tenant.root, group), shown)) };
}

/** More members than an answer holds: they are asked for by `excludedAttributes=members`, or fewer groups are. */
export async function tooMany<T>(asking: Promise<T>): Promise<T> {
  return asking.catch((error: unknown) => {
    const isTooMany =
      error instanceof AppError && error.code === 'E40034' && error.fields[0]?.field === 'members';
    throw isTooMany ? fieldError('E40002', 'resources', 'outOfRange') : error;
  });
}

export async function listUsers(tenant: Tenant, asked: ListAsked, shown: Shown) {
  const window = windowOf(asked);
  const { resources, total } = await usersIn(tenant, asked, shown, window);
  return listResponse(window, total, resources);
}

export async function listGroups(tenant: Tenant, asked: ListAsked, shown: Shown) {
  const window = windowOf(asked);
  const { resources, total } = await groupsIn(tenant, asked, shown, window);
  return listResponse(window, total, resources);
}

/**
 * Users, and then groups. A filter that asks for what one of them does not have finds none of them; one that asks for what neither
 * has is refused.
 */
export async function searchAll(tenant: Tenant, asked: ListAsked, shown: Shown) {
  const window = windowOf(asked);
  const users = await unlessUnknown(usersIn(tenant, asked, shown, window));
  const usersFound = users?.total ?? 0;
  const shownUsers = users?.resources.length ?? 0;
  const rest = { skip: Math.max(0, window.skip - usersFound), take: window.take - shownUsers };
  const groups = await unlessUnknown(groupsIn(tenant, asked, shown, rest));
  if (!users && !groups) throw fieldError('E40002', 'filter', 'invalidValue');
  return listResponse(window, usersFound + (groups?.total ?? 0), [
    ...(users?.resources ?? []),
    ...(groups?.resources ?? []),
  ]);
}

async function unlessUnknown(finding: Found): Promise<Awaited<Found> | undefined> {
  return finding.catch((error: unknown) => {
    const isUnknown =
      error instanceof AppError && ['filter', 'sortBy'].includes(error.fields[0]?.field ?? '');
    if (isUnknown) return undefined;
    throw error;
  });
}
