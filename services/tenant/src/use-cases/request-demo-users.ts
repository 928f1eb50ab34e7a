import { randomInt } from 'node:crypto';
import { isValidPassword, type LicenseType, tenantEvents } from '@portal/contracts';
import { type DemoUsers, demoUsersSeal } from '@portal/contracts/internal';
import type { Outbox, Seals } from '@portal/service-kit';

const loginUserIds = ['demo1', 'demo2', 'demo3'];
/** Letters and digits that nobody takes for another when they are read aloud or copied by hand. */
const characters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const passwordLength = 16;

/**
 * Requests users to try a new partner with, as many as its licences let in. Answers them with their passwords, which are
 * kept nowhere: the event has them sealed for the user service, which keeps hashes.
 */
export function requestDemoUsers(
  { outbox }: { readonly outbox: Outbox },
  seals: Seals,
  partner: { readonly id: number; readonly licenseType: LicenseType; readonly licenseCount: number },
): DemoUsers {
  const { id, licenseCount, licenseType } = partner;
  const most = licenseType === 'user' ? licenseCount : loginUserIds.length;
  const users = loginUserIds.slice(0, most).map((loginUserId) => ({ loginUserId, password: newPassword() }));
  outbox.append(tenantEvents.demoUsersRequested, {
    subject: id,
    partnerId: id,
    data: { partnerId: id, sealed: seals.seal(JSON.stringify(users), demoUsersSeal(id), 'user') },
  });
  return users;
}

/** One of letters alone, which the rules refuse, comes up now and then. */
function newPassword(): string {
  for (;;) {
    const password = Array.from({ length: passwordLength }, () =>
      characters.charAt(randomInt(characters.length)),
    ).join('');
    if (isValidPassword(password)) return password;
  }
}
