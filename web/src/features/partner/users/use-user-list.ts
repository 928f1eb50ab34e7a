import { userRoutes } from '@portal/contracts';
import { useApiList } from '../../../lib/api.ts';
import { useListState } from '../../../lib/list/use-list-state.ts';
import { usePageWithin } from '../../../lib/list/use-page-within.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { noUserFilters, type UserFilters } from './use-user-filters.ts';

export type UserOrderKey = (typeof userRoutes.userOrderKeys)[number];

const listOptions = { orderKeys: userRoutes.userOrderKeys, filters: noUserFilters } as const;

/** The page of users that the address asks for; with `memberOf` of the members of that group alone. */
export function useUserList(memberOf?: number) {
  const { partner } = usePartnerSession();
  const list = useListState<UserOrderKey, UserFilters>(listOptions);
  const { page, perPage, orderKey, order } = list;
  const { userId, group, groupUnset, ...filters } = list.filters;
  const query = useApiList(userRoutes.listUsers, {
    params: { pid: partner.id },
    query: {
      ...filters,
      page,
      perPage,
      orderKey,
      order,
      id: userId || undefined,
      group: memberOf ?? (group || undefined),
      groupUnset: groupUnset === 'true' || undefined,
    },
  });
  const reply = query.data && 'totalCount' in query.data ? query.data : undefined;
  usePageWithin(list, reply?.totalPage);
  return { list, query, reply };
}
