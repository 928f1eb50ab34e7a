/** The services by which push notifications reach devices: Firebase Cloud Messaging, and Apple's. */
export const pushServices = ['fcm', 'apns'] as const;
export type PushServiceName = (typeof pushServices)[number];

/** Limits of push notifications and their certificates; apart from the others, which every page of the web client loads. */
export const pushLimits = {
  tokenMaxLength: 4096,
  /** Bytes in CP932 of a push notification: 30 and 117 characters of full width. */
  titleBytes: 61,
  messageBytes: 235,
  /** Bytes of its JSON, as it is escaped in the payload. With the longest texts it fits the 4,096 bytes of a payload. */
  jsonBytes: 2000,
  /** Of the users that a notification in a list names. */
  listedUsers: 20,
  /** Whom a push notification names. */
  maxUsers: 1000,
  /** Characters of the JSON of a service account's key, of a certificate in PEM, and of its key. */
  apiKeyMaxLength: 16_384,
  certificateMaxLength: 32_768,
  privateKeyMaxLength: 16_384,
  /** Bytes of a PKCS#12 file, and of the body that brings it in base64. */
  maxP12Size: 1024 * 1024,
  maxPemBody: 2 * 1024 * 1024,
  p12PasswordMaxLength: 1024,
  /** Before the end of a certificate its company admins are told, in days, the longer first; each once. */
  certificateNoticeDays: [30, 7],
} as const;
