import type { Readable } from 'node:stream';
import { csvDateTime, csvStream, knownTimeZone } from '@portal/csv-export';
import { ofPartner } from '@portal/service-kit';
import { type AskedAdmins, companyAdminsAfter } from '../data/company-admin-views.ts';
import type { Account } from '../data/generated/client.ts';
import type { Dependencies } from '../dependencies.ts';

const header = [
  'id',
  'name',
  'email',
  'login_user_id',
  'create_user_flag',
  'created_at',
  'updated_at',
  'last_login_at',
];

/** admins.csv of those who are asked for, as a stream, with times in `timeZone`. Throws `E40002` on tz for one that is not known. */
export async function exportCompanyAdmins(
  { store }: Pick<Dependencies, 'store'>,
  partnerId: number,
  { tz: timeZone, ...asked }: AskedAdmins & { readonly tz: string },
): Promise<Readable> {
  const dateTime = csvDateTime(await store.read(ofPartner(partnerId), (db) => knownTimeZone(db, timeZone)));
  return csvStream<Account>({
    header,
    next: async ({ after, take }) =>
      store.read(ofPartner(partnerId), (db) =>
        companyAdminsAfter(db, partnerId, asked, { after: after?.id ?? 0, take }),
      ),
    rows: (admin) => [
      [
        admin.id,
        admin.name,
        admin.email ?? '',
        admin.loginUserId ?? '',
        admin.isUser ? 1 : 0,
        dateTime(admin.createdAt),
        dateTime(admin.updatedAt),
        admin.lastLoginAt === null ? '' : dateTime(admin.lastLoginAt),
      ],
    ],
  });
}
