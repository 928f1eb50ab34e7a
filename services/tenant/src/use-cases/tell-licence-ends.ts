import { addressesIn, formatDateTime, limits, tenantEvents } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import { requestMails } from '@portal/mail-requests';
import { type JobRun, ofPartner, type Seals, type Store, type Transaction } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import type { Partner } from '../data/generated/client.ts';
import { findDueReminders, setNextReminder } from '../data/licence-end-repository.ts';
import { lockPartner } from '../data/partner-repository.ts';
import { dueReminder, nextReminderAt, type Reminder } from '../domain/licence-end.ts';

interface Deps {
  readonly clock: Clock;
  readonly seals: Seals;
  readonly store: Store<TenantDb>;
}

const batch = 100;

/** Tells of licences that end in 30, in 7 and in 1 days: once each, partner by partner. */
export async function tellLicenceEnds(deps: Deps, { scope, stopping }: JobRun): Promise<void> {
  const now = deps.clock.now();
  while (!stopping.aborted) {
    const due = await deps.store.read(scope, (db) => findDueReminders(db, { now, take: batch }));
    for (const id of due) await tellOne(deps, id, now);
    if (due.length < batch) return;
  }
}

/** Of two instances at one moment the later one sees what the earlier has told. */
async function tellOne({ seals, store }: Deps, id: number, now: Date): Promise<void> {
  await store.write(ofPartner(id), async (tx) => {
    const partner = await lockPartner(tx.db, id);
    if (!partner?.nextReminderAt || partner.nextReminderAt > now) return;
    await setNextReminder(tx.db, partner, nextReminderAt(partner, now));
    const due = dueReminder(partner, now);
    if (due) tell(tx, seals, partner, due);
  });
}

function tell(tx: Transaction<TenantDb>, seals: Seals, partner: Partner, { days, end }: Reminder): void {
  const { email, id: partnerId, lang, name, timeZone } = partner;
  const licenseExpiredOn = formatDateTime(end);
  // The notices in the portal follow from it.
  if (limits.licenceNoticeDays.some((known) => known === days)) {
    tx.outbox.append(tenantEvents.licenceEnding, {
      subject: partnerId,
      partnerId,
      data: { partnerId, licenseExpiredOn, days },
    });
  }
  const ending = {
    template: 'licenceEnding',
    language: lang,
    company: name,
    licenseExpiredOn,
    days,
    timeZone,
  } as const;
  const toCompany = email === null ? [] : [{ ...ending, to: email, name }];
  requestMails(tx, seals, { partnerId, contents: toCompany });
  // They are of no tenant, whose mails are counted.
  const toManagers = managersOf(partner).map((to) => ({ ...ending, to, name: '' }));
  requestMails(tx, seals, { partnerId: null, contents: toManagers });
}

/** The operator's people in charge of the company, unless the mail to the company is theirs; each address once. */
function managersOf({ email, managers }: Partner): string[] {
  const same = Map.groupBy(addressesIn(managers), (to) => to.toLowerCase());
  if (email !== null) same.delete(email.toLowerCase());
  return [...same.values()].flatMap((addresses) => addresses.slice(0, 1));
}
