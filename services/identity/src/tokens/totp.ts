import { Secret, TOTP } from 'otpauth';

/** What every authenticator app knows: RFC 6238 with SHA-1, six digits, 30 seconds. */
const kind = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const issuer = 'Haishin Portal';
const secretBytes = 20;
/** Clocks differ: the codes of the step before and of the one after count too. */
const leeway = 1;

const stepMs = kind.period * 1000;

/** 160 random bits in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** The step of which a code of six digits is; null where it is a wrong one. */
export function totpStep(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const totp = new TOTP({ ...kind, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: code, timestamp, window: leeway });
  return delta === null ? null : Math.floor(timestamp / stepMs) + delta;
}

/** The secret as authenticator apps read it from a QR code; `label` names the account there. */
export function otpauthUrl(secret: string, label: string): string {
  return new TOTP({ ...kind, issuer, label, secret: Secret.fromBase32(secret) }).toString();
}
