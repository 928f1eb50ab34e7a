import type { Clock } from '@portal/kernel';
import { type Call, everything, type Seals, type Store } from '@portal/service-kit';
import { findAdminByEmail } from '../data/admin-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import { mailLinks } from './mail-link.ts';

/** Mails an administrator a link to choose another password, in the language that they asked in. Who is unknown gets nothing. */
export async function sendAdminResetMail(
  { clock, seals, store }: { store: Store<IdentityDb>; clock: Clock; seals: Seals },
  email: string,
  { concerns, language }: Pick<Call, 'concerns' | 'language'>,
): Promise<void> {
  const admin = await store.read(everything, (db) => findAdminByEmail(db, email));
  if (admin) concerns({ kind: 'admin', id: admin.id, role: admin.role, unitId: admin.unitId });
  const to = admin && {
    accountKind: 'admin' as const,
    accountId: admin.id,
    partnerId: null,
    letter: { template: 'passwordReset' as const, area: 'admin' as const, name: admin.name, language },
  };
  await store.write(everything, (tx) =>
    mailLinks(tx, seals, { requests: [{ email: admin?.email ?? email, to }] }, clock.now()),
  );
}
