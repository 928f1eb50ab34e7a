export { type ApnsOptions, startApnsServer } from './apns-server.ts';
export { type Authority, createAuthority, type Identity } from './authority.ts';
export type { Conduct } from './conduct.ts';
export {
  createServiceAccount,
  type FcmOptions,
  type FcmServer,
  type ServiceAccount,
  startFcmServer,
} from './fcm-server.ts';
export type { Listener } from './listener.ts';
export type { TakenPush } from './taken-push.ts';
