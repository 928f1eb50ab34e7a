/** A notification that a provider has taken for a device. */
export interface TakenPush {
  readonly service: 'apns' | 'fcm';
  readonly token: string;
  readonly title: string | null;
  readonly message: string;
  readonly json: string | null;
  /** `apns-id`, or the collapse key of FCM. */
  readonly id: string;
  /** Of notifications with the same, a phone shows the latest. */
  readonly collapseKey: string | null;
  readonly receivedAt: Date;
}

/** What phones show: a bounded number of notifications, and one of each collapse key. */
export interface TakenPushes {
  keep(push: TakenPush): void;
  /** The newest first. */
  list(token?: string): TakenPush[];
}

export function createTakenPushes({ most = 1_000 }: { readonly most?: number } = {}): TakenPushes {
  const shown = new Map<string, TakenPush>();
  return {
    keep(push) {
      const key = [push.service, push.token, push.collapseKey ?? push.id].join(' ');
      shown.delete(key);
      shown.set(key, push);
      const [oldest] = shown.keys();
      if (shown.size > most && oldest !== undefined) shown.delete(oldest);
    },
    list: (token) =>
      [...shown.values()].filter((push) => token === undefined || push.token === token).reverse(),
  };
}
