import { adminRoleBits, type EventData, type fileEvents, hasAnyRole } from '@portal/contracts';
import { requestMail } from '@portal/mail-requests';
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
  const halted = { template: 'rolloutHalted', ...told, fileName, byHand: haltedBy !== null } as const;
  for (const { email, name, role } of await adminsOfUnit(tx.db, publisher.unitId)) {
    if (!hasAnyRole(role, adminRoleBits.fileAdministration)) continue;
    requestMail(tx, seals, {
      partnerId: null,
      bulk: true,
      content: { ...halted, ofApplication: true, to: email, name, language: null },
    });
  }
}
