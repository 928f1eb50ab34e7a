import { adminRoleBits, eventIdPattern, hasAnyRole, noticeRoutes, userRoleBits } from '@portal/contracts';
import { fieldError } from '@portal/kernel';
import {
  type AdminCaller,
  type Implementation,
  implement,
  type Store,
  type TenantCaller,
} from '@portal/service-kit';
import type { MailDb } from '../data/db.ts';
import { markAllRead, markRead } from '../data/notice-repository.ts';
import { listNotices } from '../data/notice-views.ts';
import type { NoticeWatch } from '../data/notice-watch.ts';
import { audienceName, publishersOf, type Reader } from '../domain/audience.ts';
import { followNotices } from '../use-cases/follow-notices.ts';

/** The notices of whoever is signed in: each account its own. */
export function noticeRoutesOf(deps: {
  readonly store: Store<MailDb>;
  readonly watch: NoticeWatch;
}): Implementation[] {
  const { store } = deps;
  return [
    implement(
      [noticeRoutes.listAdminNotices, noticeRoutes.listPartnerNotices],
      async ({ query }, { caller, scope }) =>
        store.read(scope, (db) => listNotices(db, readerOf(caller), query)),
    ),

    implement(
      [noticeRoutes.readAdminNotices, noticeRoutes.readPartnerNotices],
      async ({ body: { ids } }, { caller, scope }) => {
        const reader = readerOf(caller);
        await store.write(scope, async ({ db }) =>
          ids === undefined ? markAllRead(db, reader) : markRead(db, reader, ids),
        );
        return {};
      },
    ),

    implement(
      [noticeRoutes.followAdminNotices, noticeRoutes.followPartnerNotices],
      async (_, { caller, lastEventId, scope }) => {
        if (lastEventId !== undefined && !eventIdPattern.test(lastEventId))
          throw fieldError('E40002', 'lastEventId', 'invalidValue');
        const lastId = lastEventId === undefined ? undefined : Number(lastEventId);
        return followNotices(deps, { lastId, reader: readerOf(caller), scope });
      },
    ),
  ];
}

function readerOf(caller: AdminCaller | TenantCaller): Reader {
  if (caller.kind === 'admin') {
    const name = audienceName({ kind: 'admin', id: caller.adminId });
    const publishers = audienceName(publishersOf(caller.unitId));
    return {
      name,
      audiences: hasAnyRole(caller.role, adminRoleBits.fileAdministration) ? [name, publishers] : [name],
      partnerId: null,
      unitId: caller.unitId,
    };
  }
  const { accountId, partnerId, role } = caller;
  const name = audienceName({ kind: 'account', id: accountId });
  const all = audienceName({ kind: 'company-admins', id: partnerId });
  return {
    name,
    audiences: hasAnyRole(role, userRoleBits.admin) ? [name, all] : [name],
    partnerId,
    unitId: null,
  };
}
