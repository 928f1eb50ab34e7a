import { ssoRoutes as routes } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { type Implementation, implement, ofPartner } from '@portal/service-kit';
import { knowPartner } from '../../data/partner-repository.ts';
import type { Dependencies } from '../../dependencies.ts';
import { findSetting } from '../data/setting-repository.ts';
import { settingRow } from '../data/setting-views.ts';
import { createSetting } from '../use-cases/create-setting.ts';
import { deleteSetting } from '../use-cases/delete-setting.ts';
import { requireSso } from '../use-cases/require-setting.ts';
import { updateSetting } from '../use-cases/update-setting.ts';

export function settingsRoutes(deps: Dependencies): Implementation[] {
  const { publicUrl, store } = deps;

  return [
    implement([routes.getSso, routes.getPartnerSso], async ({ params: { pid } }, { caller }) => {
      if (caller.kind === 'admin') await requireSso(deps, pid);
      const { partnerCode } = await knowPartner(deps, pid);
      const setting = await store.read(ofPartner(pid), async (db) => findSetting(db, pid));
      if (!setting) throw new AppError('E40401');
      return settingRow(setting, publicUrl, partnerCode);
    }),

    implement([routes.createSso, routes.createPartnerSso], async ({ body, params: { pid } }, { caller }) => {
      if (caller.kind === 'admin') await requireSso(deps, pid);
      await createSetting(deps, pid, body);
      return { id: pid };
    }),

    implement([routes.updateSso, routes.updatePartnerSso], async ({ body, params: { pid } }, { caller }) => {
      if (caller.kind === 'admin') await requireSso(deps, pid);
      await updateSetting(deps, pid, body);
      return {};
    }),

    implement(routes.deletePartnerSso, async ({ params: { pid } }) => {
      await requireSso(deps, pid);
      await deleteSetting(deps, pid);
      return {};
    }),
  ];
}
