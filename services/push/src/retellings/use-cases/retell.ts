import { pushEvents } from '@portal/contracts';
import type { JobRun, Transaction } from '@portal/service-kit';
import { operator } from '@portal/storage';
import { certificationStateOf } from '../../certifications/domain/certification.ts';
import type { PushDb } from '../../data/db.ts';
import type { Dependencies } from '../../dependencies.ts';
import { notificationStateOf } from '../../notifications/domain/notification.ts';
import {
  certificationsAfter,
  endRetelling,
  lockRetelling,
  noteTold,
  notificationsAfter,
  type RetoldThing,
} from '../data/retelling-repository.ts';

const mostAtOnce = 200;

/** Tells of some things after `id`. Answers the last of them; undefined where there are no more. */
type TellSome = (tx: Transaction<PushDb>, id: number) => Promise<number | undefined>;

const tellCertifications: TellSome = async ({ db, outbox }, id) => {
  const told = await certificationsAfter(db, id, mostAtOnce);
  for (const one of told) {
    outbox.append(pushEvents.certificationUpdated, {
      subject: one.id,
      partnerId: one.partnerId === operator ? null : one.partnerId,
      data: certificationStateOf(one),
    });
  }
  return told.at(-1)?.id;
};

const tellNotifications: TellSome = async ({ db, outbox }, id) => {
  const told = await notificationsAfter(db, id, mostAtOnce);
  for (const one of told) {
    const { id: subject, partnerId } = one;
    outbox.append(pushEvents.notificationUpdated, { subject, partnerId, data: notificationStateOf(one) });
  }
  return told.at(-1)?.id;
};

const things: readonly (readonly [RetoldThing, TellSome])[] = [
  ['certifications', tellCertifications],
  ['notifications', tellNotifications],
];

/**
 * Tells the states of all certificates, and of notifications that wait, once more, some in each transaction, where a migration asks
 * for it. Whoever knows a thing takes nothing older than what they know, so nothing is undone.
 */
export async function retell(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  { scope, stopping }: JobRun,
): Promise<void> {
  for (const [thing, tellSome] of things) {
    let isMore = true;
    while (isMore && !stopping.aborted) {
      isMore = await store.write(scope, async (tx) => {
        const toldUpTo = await lockRetelling(tx.db, thing, clock.now());
        if (toldUpTo === undefined) return false;
        const last = await tellSome(tx, toldUpTo);
        if (last === undefined) await endRetelling(tx.db, thing);
        else await noteTold(tx.db, thing, last);
        return last !== undefined;
      });
    }
  }
}
