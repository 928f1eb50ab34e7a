import { userRoutes } from '@portal/contracts';
import { knownTimeZone } from '@portal/csv-export';
import { AppError, fieldError } from '@portal/kernel';
import { type Implementation, implement, ofPartner } from '@portal/service-kit';
import type { UserList } from '../data/user-list.ts';
import { audience, listUsers, userDetail, usersOverview } from '../data/user-views.ts';
import type { Dependencies } from '../dependencies.ts';
import { changeUsersGroups } from '../use-cases/change-users-groups.ts';
import { createUser } from '../use-cases/create-user.ts';
import { deleteUsers } from '../use-cases/delete-people.ts';
import { sendSetupMails } from '../use-cases/send-setup-mails.ts';
import { updateUser } from '../use-cases/update-user.ts';
import { forCaller } from './for-caller.ts';

export function usersRoutes(deps: Dependencies, list: UserList): Implementation[] {
  const { store } = deps;
  return [
    implement(userRoutes.listUsers, async ({ params, query }) =>
      store.read(ofPartner(params.pid), (db) => listUsers(db, list, params.pid, query)),
    ),

    implement(userRoutes.usersOverview, async ({ params, query }) =>
      store.read(ofPartner(params.pid), async (db) => {
        await knownTimeZone(db, query.tz);
        return usersOverview(db, list, params.pid);
      }),
    ),

    implement(userRoutes.countAudience, async ({ params, body }) => {
      const counted = await store.read(ofPartner(params.pid), (db) =>
        audience(db, params.pid, body.groupIds),
      );
      if (!counted) throw fieldError('E40404', 'groupIds', 'notFound');
      return counted;
    }),

    implement(userRoutes.createUser, async ({ params, body }, call) =>
      createUser(forCaller(deps, call), params.pid, body),
    ),

    implement(userRoutes.getUser, async ({ params }) => {
      const user = await store.read(ofPartner(params.pid), (db) => userDetail(db, params.pid, params.id));
      if (!user) throw new AppError('E40403');
      return user;
    }),

    implement(userRoutes.updateUser, async ({ params, body }, call) => {
      await updateUser(forCaller(deps, call), params.pid, params.id, body, call.caller);
      return {};
    }),

    implement(userRoutes.deleteUsers, async ({ params, body }, { caller }) => {
      await deleteUsers(deps, params.pid, body, caller.accountId);
      return {};
    }),

    implement(userRoutes.changeUsersGroups, async ({ params, body }) =>
      changeUsersGroups(deps, params.pid, body),
    ),

    implement(userRoutes.sendSetupMails, async ({ params, body }) => sendSetupMails(deps, params.pid, body)),
  ];
}
