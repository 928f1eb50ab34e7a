/** The services by which push notifications reach devices: Firebase Cloud Messaging, and Apple's. */
export const pushServices = ['fcm', 'apns'] as const;
export type PushServiceName = (typeof pushServices)[number];
