/** What a notification says. */
export interface PushContent {
  readonly title: string | null;
  readonly message: string;
  /** JSON that the app gets besides, as the text under the key `json`. */
  readonly json: string | null;
}

/** What a push says besides to whom it goes. */
export interface PushText extends PushContent {
  /** Of pushes with the same one, a phone shows one. */
  readonly collapseKey: string;
}

/** Whether what is made of one push serves for the other, but for its token and id. */
export function saysTheSame(one: PushText, other: PushText): boolean {
  return (
    one.collapseKey === other.collapseKey &&
    one.message === other.message &&
    one.title === other.title &&
    one.json === other.json
  );
}

/** As APNs takes it. */
export function apnsPayload({ json, message, title }: PushContent): object {
  return {
    aps: { alert: { ...(title !== null && { title }), body: message }, sound: 'default' },
    ...(json !== null && { json }),
  };
}

/** As FCM takes it, without the token of the device. The tag makes a phone show one of several with the same collapse key. */
export function fcmMessage({ collapseKey, json, message, title }: PushText): object {
  return {
    notification: { ...(title !== null && { title }), body: message },
    ...(json !== null && { data: { json } }),
    android: { collapse_key: collapseKey, priority: 'HIGH', notification: { tag: collapseKey } },
  };
}

/** The body of a request to FCM. @param message what `fcmMessage` answers, as JSON */
export function fcmBody(token: string, message: string): string {
  return `{"message":{"token":${JSON.stringify(token)},${message.slice(1)}}`;
}
