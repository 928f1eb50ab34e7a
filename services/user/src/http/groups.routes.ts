import { userRoutes } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { type Implementation, implement, ofPartner } from '@portal/service-kit';
import { groupDetail, listGroups } from '../data/group-views.ts';
import type { Dependencies } from '../dependencies.ts';
import { addMembers, removeMembers } from '../use-cases/change-members.ts';
import { createGroup } from '../use-cases/create-group.ts';
import { deleteGroup } from '../use-cases/delete-group.ts';
import { deleteGroups } from '../use-cases/delete-groups.ts';
import { exportGroups } from '../use-cases/export-groups.ts';
import { updateGroup } from '../use-cases/update-group.ts';

export function groupRoutes(deps: Dependencies): Implementation[] {
  const { store } = deps;
  return [
    implement(userRoutes.listGroups, async ({ params, query }) =>
      store.read(ofPartner(params.pid), (db) => listGroups(db, params.pid, query)),
    ),

    implement(userRoutes.createGroup, async ({ params, body }) => createGroup(deps, params.pid, body)),

    implement(userRoutes.getGroup, async ({ params }) => {
      const group = await store.read(ofPartner(params.pid), (db) => groupDetail(db, params.pid, params.id));
      if (!group) throw new AppError('E40404');
      return group;
    }),

    implement(userRoutes.updateGroup, async ({ params, body }) => {
      await updateGroup(deps, params.pid, params.id, body);
      return {};
    }),

    implement(userRoutes.deleteGroup, async ({ params }) => {
      await deleteGroup(deps, params.pid, params.id);
      return {};
    }),

    implement(userRoutes.deleteGroups, async ({ params, body }) => {
      await deleteGroups(deps, params.pid, body);
      return {};
    }),

    implement(userRoutes.addGroupUsers, async ({ params, body }) => {
      await addMembers(deps, { partnerId: params.pid, id: params.id }, body.ids);
      return {};
    }),

    implement(userRoutes.removeGroupUsers, async ({ params, body }) => {
      await removeMembers(deps, { partnerId: params.pid, id: params.id }, body.ids);
      return {};
    }),

    implement(userRoutes.exportGroups, async ({ params, query }) => ({
      content: await exportGroups(deps, params.pid, query),
      fileName: 'groups.csv',
    })),
  ];
}
