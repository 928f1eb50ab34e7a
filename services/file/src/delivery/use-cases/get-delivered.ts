import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { knowMember, type Player } from '../../rollouts/data/reached-repository.ts';
import { plansOf } from '../../rollouts/data/rollout-repository.ts';
import { readAsker } from '../data/asker.ts';
import type { DeliveredView } from '../data/delivered-views.ts';
import { viewsFor } from './views-for.ts';

/**
 * A file that is delivered to a player at this moment.
 * @throws AppError `E40405`
 */
export async function getDelivered(
  { answers, clock, direct, watch }: Pick<Dependencies, 'answers' | 'clock' | 'direct' | 'watch'>,
  player: Player,
  id: number,
): Promise<DeliveredView> {
  const { partnerId } = player;
  const now = clock.now();
  const db = direct.statements(ofPartner(partnerId));
  const asker = await readAsker(db, player, watch);
  const { value: plans } = await answers.of(asker, `plans ${id}`, now, async (reads, moment) =>
    plansOf(reads, partnerId, [id], moment.now),
  );
  const who = await knowMember(db, asker, plans.values(), asker.change);
  const [file] = await viewsFor(answers, asker, { ids: [id], plans, who }, now);
  if (!file) throw new AppError('E40405');
  return file;
}
