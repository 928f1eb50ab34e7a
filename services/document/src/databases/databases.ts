import type { AnyCaller } from '@portal/service-kit';
import type { Purpose } from './domain/contract.ts';

/** A database that a caller may use for what they are about to do. */
export interface OpenDatabase {
  readonly partnerId: number;
  /** Its name. */
  readonly db: string;
  readonly quotaBytes: number;
}

/** How the routes of collections and documents reach the database that an address names. */
export interface Databases {
  /**
   * Decides whether who calls may do something with a database now. Throws `E40401` for one that there is not, or that is another
   * tenant's; `E40304` where the contract of the tenant, or that of the database, does not include it; `E40302` after its end;
   * `E40016` for a `write` to one that is full. Which roles may read and write, the routes say.
   */
  open(
    call: { readonly caller: AnyCaller },
    address: { readonly db: string },
    purpose: Purpose,
  ): Promise<OpenDatabase>;
  /** Documents of it were changed: it is measured within the minute. */
  noteChange(database: { readonly partnerId: number }): void;
}
