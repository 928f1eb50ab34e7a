import type { ApnsCertificate } from './apns-provider.ts';
import { reasons } from './domain/outcomes.ts';
import type { ServiceAccount } from './fcm-provider.ts';
import type { ProviderSettings, PushProvider } from './provider.ts';
import { createProviderCache } from './provider-cache.ts';

/** What one certificate sends with; null: it has nothing for that service. */
export interface Credentials {
  /** Changes with them. */
  readonly key: string;
  readonly fcm: ServiceAccount | null;
  readonly apns: ApnsCertificate | null;
}

export interface Providers {
  /** Runs `work` with the providers of a certificate. */
  use<T>(
    credentials: Credentials,
    work: (providers: { readonly fcm: PushProvider; readonly apns: PushProvider }) => Promise<T>,
  ): Promise<T>;
  close(): Promise<void>;
}

/** Where providers are; without an address the real ones. */
export interface ProviderPlaces {
  readonly fcm: Omit<ProviderSettings, 'clock'>;
  readonly apns: Omit<ProviderSettings, 'clock'>;
  /** A place that knows service accounts by their keys is told of those that are used. */
  readonly knowAccount?: (account: ServiceAccount) => void;
}

export function createProviders({
  clock,
  places,
}: {
  readonly clock: ProviderSettings['clock'];
  /** Asked when there is something to send. */
  readonly places: () => Promise<ProviderPlaces>;
}): Providers {
  const cache = createProviderCache();
  return {
    async use({ apns, fcm, key }, work) {
      const at = await places();
      // Their libraries are large, and stay away until the first push.
      const [{ apnsProvider }, { fcmProvider }] = await Promise.all([
        import('./apns-provider.ts'),
        import('./fcm-provider.ts'),
      ]);
      const makeFcm = () => {
        if (!fcm) return withoutCertificate;
        at.knowAccount?.(fcm);
        return fcmProvider(fcm, { clock, ...at.fcm });
      };
      const makeApns = () => (apns ? apnsProvider(apns, { clock, ...at.apns }) : withoutCertificate);
      return cache.use(`fcm ${key}`, makeFcm, async (ofFcm) =>
        cache.use(`apns ${key}`, makeApns, async (ofApns) => work({ fcm: ofFcm, apns: ofApns })),
      );
    },
    close: async () => cache.close(),
  };
}

const withoutCertificate: PushProvider = {
  send: async () => ({ kind: 'refused', reason: reasons.noCertificate }),
  async close() {},
};
