import { type RouteRequest, userRoutes } from '@portal/contracts';
import { useMemo } from 'react';
import { useApiList, useApiQuery } from '../../lib/api.ts';
import { useListState } from '../../lib/list/use-list-state.ts';
import { usePageWithin } from '../../lib/list/use-page-within.ts';
import { useMay } from '../../lib/session/use-session.ts';
import { inForce } from '../chosen.ts';
import { useTenant } from '../tenant.ts';
import { type UserFilters, userFilters } from './use-user-filters.ts';

/** What the list is filtered by, as the service is asked for it. */
export type UserFilter = NonNullable<RouteRequest<typeof userRoutes.sendSetupMails>['body']['filter']>;

export type UserOrderKey = (typeof userRoutes.userOrderKeys)[number];

const orderKeys = userRoutes.userOrderKeys;

/** The page of users that the address asks for; with `memberOf` of the members of that group alone. */
export function useUserList(memberOf?: number) {
  const may = useMay();
  const { id: pid } = useTenant();
  const params = { pid };
  const { data: groups } = useApiQuery(
    userRoutes.listGroups,
    { params, query: { all: true } },
    { enabled: memberOf === undefined && may('listGroups') },
  );
  const taken = useMemo(
    () => ({ ...userFilters, group: groups?.groups.map(({ id }) => String(id)) ?? userFilters.group }),
    [groups],
  );
  const list = useListState<UserOrderKey, UserFilters>({ orderKeys, filters: taken });
  const { page, perPage, orderKey, order } = list;
  const { userId, group, groupUnset, passwordState, state, ...filters } = list.asked;
  const known = userRoutes.passwordStates.find((state) => state === passwordState);
  const knownState = userRoutes.userStates.find((one) => one === state);
  const filter: UserFilter = {
    ...inForce(filters),
    ...(userId && { id: Number(userId) }),
    ...((memberOf || group) && { group: memberOf ?? Number(group) }),
    ...(groupUnset === 'true' && { groupUnset: true }),
    ...(known && { passwordState: known }),
    ...(knownState && { state: knownState }),
  };
  const query = useApiList(userRoutes.listUsers, {
    params,
    query: { ...filter, page, perPage, orderKey, order },
  });
  const reply = query.data && 'totalCount' in query.data ? query.data : undefined;
  usePageWithin(list, query, reply?.totalPage);
  return { list, filter, query, reply };
}
