import { type EventData, type tenantEvents, userEvents } from '@portal/contracts';
import type { Transaction } from '@portal/service-kit';
import type { UserDb } from '../data/db.ts';
import { countDevices } from '../data/device-repository.ts';
import { insertLicenceHold } from '../data/licence-hold-repository.ts';
import { lockPartner } from '../data/partner-repository.ts';
import { countActiveUsers } from '../data/user-list.ts';

/**
 * Answers whether what a partner uses fits into fewer licences, or into those of another type. If it does, no more is used from
 * now on, until the contract says so itself or the change is given up.
 */
export async function holdLicences(
  { db, outbox }: Transaction<UserDb>,
  { holdId, licenseCount, licenseType, partnerId, until }: EventData<typeof tenantEvents.licenceHoldAsked>,
  now: Date,
): Promise<void> {
  // Whoever takes a licence waits, and then finds the lower limit.
  await lockPartner(db, partnerId);
  const inUse =
    licenseType === 'user' ? await countActiveUsers(db, partnerId) : await countDevices(db, partnerId);
  // Nobody waits any more for an answer that is late.
  const held = inUse <= licenseCount && now < new Date(until);
  if (held) await insertLicenceHold(db, { partnerId, holdId }, { licenseType, licenseCount }, now);
  outbox.append(userEvents.licenceHoldAnswered, {
    subject: partnerId,
    partnerId,
    data: { partnerId, holdId, held, inUse },
  });
}
