import { findAccount, findAdministrator } from '@portal/contracts/internal';
import type { Logger } from '@portal/kernel';
import type { Peers } from '@portal/service-kit';
import { operator } from '@portal/storage';
import type { CreatorOf } from '../../dependencies.ts';

/**
 * Asks for the name of who makes a version, which is kept as it is now. Nobody is kept from it because the service that knows the
 * name does not answer at this moment.
 */
export function createCreatorOf({
  logger,
  peers,
}: {
  readonly logger: Logger;
  readonly peers: Peers;
}): CreatorOf {
  return async ({ accountId, partnerId }) => {
    try {
      const { name } =
        partnerId === operator
          ? await peers.call(findAdministrator, { body: { adminId: accountId } })
          : await peers.call(findAccount, { body: { partnerId, accountId } });
      return { id: accountId, name };
    } catch (error) {
      logger.warn({ err: error, accountId, partnerId }, 'The name of who makes a version is not known');
      return { id: accountId, name: null };
    }
  };
}
