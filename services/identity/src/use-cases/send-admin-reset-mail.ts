import type { identityRoutes } from '@portal/contracts';
import type { Call, Seals, Store } from '@portal/service-kit';
import { findAdminByEmail } from '../data/admin-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import { type AskedLink, markOf, requestLink } from './request-link.ts';

type Route = typeof identityRoutes.sendAdminResetMail;

/** Mails an administrator a link to choose another password, in the language that they asked in. Who is unknown gets nothing. */
export async function sendAdminResetMail(
  { seals, store }: { store: Store<IdentityDb>; seals: Seals },
  email: string,
  { concerns, language, systemScope }: Pick<Call<Route>, 'concerns' | 'language' | 'systemScope'>,
): Promise<void> {
  const scope = systemScope('an administrator is known by the address');
  const admin = await store.read(scope, (db) => findAdminByEmail(db, email));
  if (admin) concerns({ kind: 'admin', id: admin.id, role: admin.role, unitId: admin.unitId });
  const link: AskedLink = admin && {
    accountKind: 'admin',
    accountId: admin.id,
    partnerId: null,
    passwordMark: markOf(admin),
    area: 'admin',
    email: admin.email,
    name: admin.name,
    language,
  };
  await store.write(scope, async (tx) => requestLink(tx, seals, link));
}
