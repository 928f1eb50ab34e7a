import type { Language } from '@portal/contracts';
import { requestMail } from '@portal/mail-requests';
import { type DirectTransaction, networkOf, type Seals } from '@portal/service-kit';
import { rememberDevice } from '../data/known-device-repository.ts';
import type { LinkOwner } from '../data/password-link-repository.ts';
import { type Device, deviceHash } from '../domain/device.ts';

/** Three bytes of an IPv4 address, 48 bits of an IPv6 one. */
const nearby = { v4: 3, v6: 3 };

/** Tells an administrator by mail that they signed in from a device that they were not seen with of late; not of the first. */
export async function noticeDevice(
  tx: DirectTransaction,
  seals: Seals,
  owner: LinkOwner & {
    readonly name: string;
    readonly email: string | null;
    readonly language: Language | null;
  },
  device: Device,
  now: Date,
): Promise<void> {
  const hash = deviceHash(device, networkOf(device.address, nearby));
  const { hadSome, hadThis } = await rememberDevice(tx.db, owner, hash, now);
  const { email, language, name, partnerId } = owner;
  if (!hadSome || hadThis || email === null) return;
  const content = {
    ...device,
    template: 'newDevice',
    to: email,
    name,
    language,
    at: now.toISOString(),
  } as const;
  requestMail(tx, seals, { partnerId, content });
}
