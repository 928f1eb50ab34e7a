import { pushRoutes as routes } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { type Implementation, implement, ofPartner } from '@portal/service-kit';
import type { Deliverer } from '../../delivery/use-cases/create-deliverer.ts';
import type { Dependencies } from '../../dependencies.ts';
import { listNotifications, notificationDetail } from '../data/notification-views.ts';
import { createNotification } from '../use-cases/create-notification.ts';
import { deleteNotification } from '../use-cases/delete-notification.ts';
import { updateNotification } from '../use-cases/update-notification.ts';

export function notificationsRoutes(
  deps: Dependencies,
  deliverer: Pick<Deliverer, 'beginNow'>,
): Implementation[] {
  const { store } = deps;
  return [
    implement(routes.listNotifications, async ({ params: { pid }, query }) =>
      store.read(ofPartner(pid), (db) => listNotifications(db, pid, query)),
    ),

    implement(routes.createNotification, async ({ body, params }) => {
      const { id, isDue } = await createNotification(deps, params.pid, body);
      if (isDue) deliverer.beginNow(id);
      return { id };
    }),

    implement(routes.getNotification, async ({ params: { id, pid } }) => {
      const notification = await store.read(ofPartner(pid), (db) => notificationDetail(db, pid, id));
      if (!notification) throw new AppError('E40401');
      return notification;
    }),

    implement(routes.updateNotification, async ({ body, params: { id, pid } }) => {
      const { isDue } = await updateNotification(deps, { partnerId: pid, id }, body);
      if (isDue) deliverer.beginNow(id);
      return {};
    }),

    implement(routes.deleteNotification, async ({ params: { id, pid } }) => {
      await deleteNotification(deps, { partnerId: pid, id });
      return {};
    }),
  ];
}
