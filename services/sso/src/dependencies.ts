import type { KeyCipher, ServiceContext } from '@portal/service-kit';
import type { SsoDb } from './data/db.ts';
import type { FetchMetadata } from './identity-provider/http/fetch-metadata.ts';
import type { SamlReader } from './saml/saml-reader.ts';

type Context = ServiceContext<SsoDb, unknown>;

/** What the use cases of this service are given; each names the part that it needs. */
export interface Dependencies extends Pick<Context, 'clock' | 'logger' | 'peers' | 'seals' | 'store'> {
  /** The identity provider of a demo may be on the same machine, without encryption. */
  readonly acceptsLoopback: boolean;
  /** Seals the keys of tenants. */
  readonly cipher: KeyCipher;
  readonly fetchMetadata: FetchMetadata;
  /** The origin of the portal. */
  readonly publicUrl: string;
  /** The schemes of addresses of apps to which codes go. */
  readonly redirectSchemes: readonly string[];
  readonly samlReader: SamlReader;
}
