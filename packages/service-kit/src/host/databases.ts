import type { ServiceName } from '@portal/contracts';
import { migrate, provisionDatabase } from '@portal/database';
import type { Logger } from '@portal/kernel';
import type { DatabasePasswords } from './secrets.ts';

/**
 * Gives each service a migrated database and a login of its own on one PostgreSQL server, and answers the address for that
 * login. It is the step that has the rights of an administrator and of owners, before the services start, which have neither.
 * Several instances may do so at once.
 */
export function databasesOn(options: {
  /** URL of a role that may create roles and databases. */
  adminUrl: string;
  passwordsOf(service: ServiceName): DatabasePasswords;
  logger: Logger;
}): (service: ServiceName, migrations: readonly string[]) => Promise<string> {
  const { adminUrl, logger, passwordsOf } = options;
  return async (service, directories) => {
    const { owner: ownerPassword, role: password } = passwordsOf(service);
    const { ownerUrl, url } = await provisionDatabase({ adminUrl, service, password, ownerPassword });
    await migrate({ url: ownerUrl, directories, logger });
    return url;
  };
}
