import { deliveryRoutes, formatDateTime, formatNullableDateTime } from '@portal/contracts';
import { type Scope } from '@portal/database';
import { AppError } from '@portal/kernel';
import { type Implementation, implement, type Peers } from '@portal/service-kit';
import { publisherOf } from '../../applications/use-cases/publisher.ts';
import type { Dependencies } from '../../dependencies.ts';
import { createStagedList } from '../../rollouts/data/staged-devices.ts';
import type { DeliveryNumbers } from '../data/delivery-numbers.ts';
import { createDeviceList, type DeviceRow } from '../data/device-rows.ts';
import { createFoundDevices } from '../data/found-devices.ts';
import { getApplicationDelivery } from '../use-cases/get-application-delivery.ts';
import { getDelivery } from '../use-cases/get-delivery.ts';
import { getDeliveryHistory } from '../use-cases/get-delivery-history.ts';
import { listDeliveryDevices } from '../use-cases/list-delivery-devices.ts';
import { listUserDelivery } from '../use-cases/list-user-delivery.ts';
import type { ReceiptIntake } from '../use-cases/receipt-intake.ts';

/** What becomes of what is delivered: players tell it, people of the tenant read it. */
export function receiptsRoutes(
  deps: Dependencies & {
    readonly intake: ReceiptIntake;
    readonly peers: Peers;
    /** For what is added up over tenants. */
    readonly allTenants: Scope;
  },
): Implementation[] {
  const found = createFoundDevices();
  const lists = { deviceList: createDeviceList(found), stagedList: createStagedList(found) };
  return [
    implement(deliveryRoutes.sendReceipt, async ({ params, body }, { caller }) => {
      const { accountId: userId, partnerId, platformUuid } = caller;
      if (platformUuid === null) throw new AppError('E40405');
      const { at, progress = null, reason = null, status, version } = body;
      const place = { userId, uuid: platformUuid, fileId: params.id, version };
      await deps.intake.take(partnerId, {
        ...place,
        at,
        progress,
        reason: reason || null,
        status,
        toldBy: 'player',
      });
      return {};
    }),

    implement(deliveryRoutes.getDelivery, async ({ params }, { language }) => {
      const delivery = await getDelivery(deps, { partnerId: params.pid, fileId: params.id }, language);
      return {
        ...wire(delivery),
        version: delivery.version,
        versions: delivery.versions.map(({ version, ...numbers }) => ({ version, ...wire(numbers) })),
        groups: delivery.groups.map(({ id, name, ...numbers }) => ({ id, name, ...wire(numbers) })),
      };
    }),

    implement(deliveryRoutes.getApplicationDelivery, async ({ params, query }, { caller, scope }) => {
      const { failureReasons, partners, states, targeted, version, versions, ...page } =
        await getApplicationDelivery(deps, publisherOf(caller, scope), params.id, query);
      return {
        ...page,
        ...wire({ failureReasons, states, targeted }),
        version,
        versions: versions.map(({ version: of, ...numbers }) => ({ version: of, ...wire(numbers) })),
        partners: partners.map(({ name, partnerId: id, ...numbers }) => ({ id, name, ...wire(numbers) })),
      };
    }),

    implement(deliveryRoutes.getDeliveryHistory, async ({ params, query }) => {
      const file = { partnerId: params.pid, fileId: params.id };
      const { points, version } = await getDeliveryHistory(deps, file, query.version);
      return {
        version,
        points: points.map(({ at, ...point }) => {
          const { devices, failed, installed, onTheWay } = point;
          return { ...point, at: formatDateTime(at), notYet: devices - installed - onTheWay - failed };
        }),
      };
    }),

    implement(deliveryRoutes.listDeliveryDevices, async ({ params, query }, { language }) => {
      const file = { partnerId: params.pid, fileId: params.id };
      const { devices, ...page } = await listDeliveryDevices({ ...deps, ...lists }, file, query, language);
      return {
        ...page,
        devices: devices.map((row) => ({
          user: { id: row.userId, name: row.userName, loginId: row.loginId },
          ...deviceRow(row),
        })),
      };
    }),

    implement(deliveryRoutes.listUserDelivery, async ({ params, query }) => {
      const player = { partnerId: params.pid, userId: params.id };
      const { devices, ...page } = await listUserDelivery(deps, player, query);
      return {
        ...page,
        devices: devices.map((row) => ({ file: { id: row.fileId, name: row.fileName }, ...deviceRow(row) })),
      };
    }),
  ];
}

function deviceRow(row: Omit<DeviceRow, 'loginId' | 'userId' | 'userName'>) {
  const { at, name, osType, osVersion, playerVersion, progress, reason, status, toldBy, uuid, version } = row;
  return {
    device: { uuid, name, osType, osVersion, playerVersion },
    version,
    status,
    reason,
    progress,
    at: formatNullableDateTime(at),
    toldBy,
  };
}

function wire({ failureReasons, states, targeted }: DeliveryNumbers) {
  const { not_seen: notSeen, ...others } = states;
  return { targeted, states: { notSeen, ...others }, failureReasons: [...failureReasons] };
}
