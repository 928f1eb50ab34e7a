import type { KeyCipher, ServiceContext } from '@portal/service-kit';
import type { AcceptsTokenUri } from './certifications/domain/service-account.ts';
import type { P12Reader } from './certifications/p12/p12-reader.ts';
import type { PushDb } from './data/db.ts';
import type { Providers } from './providers/providers.ts';

type Context = ServiceContext<PushDb, unknown>;

/** What the use cases of this service are given; each names the part that it needs. */
export interface Dependencies
  extends Pick<Context, 'clock' | 'direct' | 'logger' | 'peers' | 'seals' | 'store'> {
  /** Seals the secrets of certifications. */
  readonly cipher: KeyCipher;
  readonly p12Reader: P12Reader;
  readonly acceptsTokenUri: AcceptsTokenUri;
  /** What sends pushes to devices. */
  readonly providers: Providers;
}
