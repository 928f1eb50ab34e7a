import type { SessionKind } from '../lib/session/session-store.ts';

export const accountPath = (kind: SessionKind) => `/${kind}/account`;
export const twoFactorPath = (kind: SessionKind) => `/${kind}/account/two-factor`;
/** Where somebody sets two factors up who may do nothing else before. */
export const requiredSetupPath = (kind: SessionKind) => `/${kind}/two-factor`;
export const securityPath = (kind: SessionKind) => `/${kind}/security`;
