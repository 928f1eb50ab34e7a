import { deliveryRoutes } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { type Implementation, implement } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import type { DeliveryNumbers } from '../data/delivery-numbers.ts';
import { getDelivery } from '../use-cases/get-delivery.ts';
import type { ReceiptIntake } from '../use-cases/receipt-intake.ts';

/** What becomes of what is delivered: players tell it, people of the tenant read it. */
export function receiptsRoutes(deps: Dependencies & { readonly intake: ReceiptIntake }): Implementation[] {
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
  ];
}

function wire({ failureReasons, states, targeted }: DeliveryNumbers) {
  const { not_seen: notSeen, ...others } = states;
  return { targeted, states: { notSeen, ...others }, failureReasons: [...failureReasons] };
}
