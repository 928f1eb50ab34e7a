import { useTranslation } from 'react-i18next';
import type { pushNotifications } from '../../../i18n/ja/push-notifications.ts';

type Meaning = keyof typeof pushNotifications.reasons;

/** What providers and the service call the reasons, by what they mean for people. */
const meanings: Readonly<Record<string, Meaning>> = {
  UNREGISTERED: 'gone',
  NOT_FOUND: 'gone',
  Unregistered: 'gone',
  ExpiredToken: 'gone',
  BadDeviceToken: 'gone',
  NoToken: 'gone',
  DeviceTokenNotForTopic: 'otherApp',
  SENDER_ID_MISMATCH: 'otherApp',
  TopicDisallowed: 'otherApp',
  BadTopic: 'otherApp',
  MissingTopic: 'otherApp',
  CertificateExpired: 'certificateOver',
  BadCertificate: 'certificate',
  BadCertificateEnvironment: 'certificate',
  CertificateInvalid: 'certificate',
  CertificateUnreadable: 'certificate',
  Forbidden: 'certificate',
  PERMISSION_DENIED: 'certificate',
  UNAUTHENTICATED: 'certificate',
  THIRD_PARTY_AUTH_ERROR: 'certificate',
  NoCertificate: 'noCertificate',
  PayloadTooLarge: 'payload',
  INVALID_ARGUMENT: 'payload',
  TooManyRequests: 'busy',
  QUOTA_EXCEEDED: 'busy',
  RESOURCE_EXHAUSTED: 'busy',
  UNAVAILABLE: 'unavailable',
  INTERNAL: 'unavailable',
  InternalServerError: 'unavailable',
  ServiceUnavailable: 'unavailable',
  Shutdown: 'unavailable',
  IdleTimeout: 'unavailable',
  ConnectionClosed: 'unavailable',
  Timeout: 'unavailable',
};

/** The reason for which devices did not take a notification, in words. */
export function useReasonText(): (reason: string) => string {
  const { t } = useTranslation('pushNotifications');
  return (reason) => t(`reasons.${meanings[reason] ?? 'other'}`);
}
