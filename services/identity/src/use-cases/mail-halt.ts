import { adminRoleBits, type EventData, type fileEvents, hasAnyRole } from '@portal/contracts';
import { requestMails } from '@portal/mail-requests';
import type { Seals, Transaction } from '@portal/service-kit';
import { adminsOfUnit } from '../data/admin-repository.ts';
import type { IdentityDb } from '../data/db.ts';

/** Mails those who publish an application that the stages of its version were halted: whoever of its unit may change it. */
export async function mailHalt(
  tx: Transaction<IdentityDb>,
  seals: Seals,
  { haltedBy, name: fileName, publisher, ...told }: EventData<typeof fileEvents.fileRolloutHalted>,
): Promise<void> {
  // The stages of a tenant's file are its own.
  if (!publisher) return;
  const admins = await adminsOfUnit(tx.db, publisher.unitId);
  const byHand = haltedBy !== null;
  const halted = { template: 'rolloutHalted', ...told, fileName, byHand, language: null } as const;
  const contents = admins.flatMap(({ email, name, role }) =>
    hasAnyRole(role, adminRoleBits.fileAdministration)
      ? [{ ...halted, ofApplication: true, to: email, name }]
      : [],
  );
  requestMails(tx, seals, { partnerId: null, contents });
}
