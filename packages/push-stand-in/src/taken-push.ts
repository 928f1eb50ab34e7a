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
