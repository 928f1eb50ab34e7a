import { formatDateTime, pushRoutes, pushServices } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { HtmlPage, type Implementation, implement, type Store } from '@portal/service-kit';
import type { PushDb } from '../../data/db.ts';
import { listPushes } from '../data/pushbox-repository.ts';
import { pushboxPage } from './pushbox-page.ts';

/** @param isShown only a demo without providers shows its pushes to everybody */
export function pushboxRoutes({
  isShown,
  store,
}: {
  isShown: boolean;
  store: Store<PushDb>;
}): Implementation[] {
  return [
    implement(pushRoutes.devPushbox, async ({ query }, { systemScope, wantsPage }) => {
      if (!isShown) throw new AppError('E40401');
      const entries = await store.read(systemScope('the demo shows its pushes to everybody'), (db) =>
        listPushes(db, query.token),
      );
      const pushes = entries.flatMap(({ json, message, pushId: id, receivedAt, service, title, token }) => {
        const known = pushServices.find((name) => name === service);
        if (!known) return [];
        return [{ service: known, token, title, message, json, id, receivedAt: formatDateTime(receivedAt) }];
      });
      return wantsPage ? new HtmlPage(pushboxPage(pushes)) : { pushes };
    }),
  ];
}
