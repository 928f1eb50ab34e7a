import { type Call, everything, type Seals, type Store } from '@portal/service-kit';
import { findAdminByEmail } from '../data/admin-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import { type AskedLink, askForLink } from './ask-for-link.ts';

/** Mails an administrator a link to choose another password, in the language that they asked in. Who is unknown gets nothing. */
export async function sendAdminResetMail(
  { seals, store }: { store: Store<IdentityDb>; seals: Seals },
  email: string,
  { concerns, language }: Pick<Call, 'concerns' | 'language'>,
): Promise<void> {
  const admin = await store.read(everything, (db) => findAdminByEmail(db, email));
  if (admin) concerns({ kind: 'admin', id: admin.id, role: admin.role, unitId: admin.unitId });
  const link: AskedLink = admin && {
    accountKind: 'admin',
    accountId: admin.id,
    partnerId: null,
    area: 'admin',
    email: admin.email,
    name: admin.name,
    language,
  };
  await store.write(everything, async (tx) => askForLink(tx, seals, link));
}
