import type { KeyCipher, ServiceContext } from '@portal/service-kit';
import type { DocumentDb } from './data/db.ts';

type Context = ServiceContext<DocumentDb, unknown>;

/** What the use cases of this service are given; each names the part that it needs. */
export interface Dependencies extends Pick<Context, 'clock' | 'logger' | 'peers' | 'seals' | 'store'> {
  /** Seals the keys of databases. */
  readonly cipher: KeyCipher;
}
