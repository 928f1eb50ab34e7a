import { plans } from '@portal/contracts';
import { findRecipients } from '@portal/contracts/internal';
import { AppError, fieldError } from '@portal/kernel';
import { knowPartner } from '../../data/partner-repository.ts';
import type { Dependencies } from '../../dependencies.ts';
import { isProviderAddress } from '../../identity-provider/domain/address.ts';
import type { SettingChange } from '../domain/setting.ts';

/** For administrators, who are held to no contract of their own. Throws `E40304` where the partner's lacks single sign-on. */
export async function requireSso(
  deps: Pick<Dependencies, 'clock' | 'peers' | 'store'>,
  partnerId: number,
): Promise<void> {
  const { contractRank } = await knowPartner(deps, partnerId);
  if (!plans[contractRank].apis.includes('sso')) throw new AppError('E40304');
}

/**
 * What of a change has to be so whatever else is stored.
 * Throws `E40002` on loginUrl for an address that browsers are not sent to, and `E40404` on defaultGroup for no group of the partner.
 */
export async function requireChange(
  { acceptsLoopback, peers }: Pick<Dependencies, 'acceptsLoopback' | 'peers'>,
  partnerId: number,
  { defaultGroup, loginUrl }: SettingChange,
): Promise<void> {
  if (loginUrl != null && !isProviderAddress(loginUrl, acceptsLoopback)) {
    throw fieldError('E40002', 'loginUrl', 'publicAddress');
  }
  if (defaultGroup == null) return;
  // Group 0 is everyone, and nobody's default.
  const { groups } =
    defaultGroup === 0
      ? { groups: [] }
      : await peers.call(findRecipients, { body: { partnerId, groupIds: [defaultGroup], userIds: [] } });
  if (groups.length === 0) throw fieldError('E40404', 'defaultGroup', 'notFound');
}
