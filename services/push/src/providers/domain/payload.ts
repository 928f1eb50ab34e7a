/** What a notification says. */
export interface PushContent {
  readonly title: string | null;
  readonly message: string;
  /** JSON that the app gets besides, as the text under the key `json`. */
  readonly json: string | null;
}

/** As APNs takes it. */
export function apnsPayload({ json, message, title }: PushContent): object {
  return {
    aps: { alert: { ...(title !== null && { title }), body: message }, sound: 'default' },
    ...(json !== null && { json }),
  };
}

/** As FCM takes it, for a device. The tag makes a phone show one of several with the same collapse key. */
export function fcmMessage({
  collapseKey,
  json,
  message,
  title,
  token,
}: PushContent & { readonly token: string; readonly collapseKey: string }): object {
  return {
    message: {
      token,
      notification: { ...(title !== null && { title }), body: message },
      ...(json !== null && { data: { json } }),
      android: { collapse_key: collapseKey, priority: 'HIGH', notification: { tag: collapseKey } },
    },
  };
}
