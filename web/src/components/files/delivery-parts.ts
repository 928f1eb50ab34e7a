import type { deliveryRoutes, RouteReply } from '@portal/contracts';
import type { FileRow } from './file.ts';

/** What has become of a version on its devices, as charts and bars show it; each device is in one of them. */
export const deliveryParts = [
  { name: 'installed', colour: 'success.solid' },
  { name: 'onTheWay', colour: 'accent.solid' },
  { name: 'failed', colour: 'danger.solid' },
  { name: 'notYet', colour: 'bg.emphasized' },
] as const;

export type DeliveryPart = (typeof deliveryParts)[number]['name'];

/** The states that a part sums up, in the order of a delivery. */
export const statesOfPart = {
  installed: ['installed'],
  onTheWay: ['downloading', 'downloaded'],
  failed: ['failed'],
  notYet: ['not_seen', 'seen', 'removed'],
} as const satisfies Readonly<Record<DeliveryPart, readonly string[]>>;

export type Numbers = Pick<RouteReply<typeof deliveryRoutes.getDelivery>, 'states' | 'targeted'>;

export const countOf = (
  { states }: Pick<Numbers, 'states'>,
  state: (typeof statesOfPart)[DeliveryPart][number],
): number => (state === 'not_seen' ? states.notSeen : states[state]);

/** The same as a list of files has it. */
export function partsOf({ states, targeted }: Numbers): FileRow['delivery'] {
  const { downloaded, downloading, failed, installed } = states;
  const onTheWay = downloading + downloaded;
  const { devices } = targeted;
  return { devices, installed, onTheWay, failed, notYet: devices - installed - onTheWay - failed };
}
