import { migrate, provisionDatabase } from '@portal/database';
import type { Logger } from '@portal/kernel';
import type { Infrastructure } from '../service.ts';

/** Gives each service a migrated database and a login of its own on one PostgreSQL server. Several instances may do so at once. */
export function databasesOn(options: {
  /** URL of a role that may create roles and databases. */
  adminUrl: string;
  /** Of the roles that are made. */
  password: string;
  logger: Logger;
}): Infrastructure['prepareDatabase'] {
  const { adminUrl, logger, password } = options;
  return async (service, directories) => {
    const { ownerUrl, url } = await provisionDatabase({ adminUrl, service, password });
    await migrate({ url: ownerUrl, directories, logger });
    return url;
  };
}
