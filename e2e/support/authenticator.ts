import { Secret, TOTP } from 'otpauth';

const stepMs = 30_000;

/**
 * What an app on a phone does. The server takes each code once, of the steps around the present one. So this gives the code of the
 * present step and then that of the next, which are both good still when the test is slow; there is no third one.
 */
export class Authenticator {
  readonly #totp: TOTP;
  #last = 0;

  constructor(secret: string) {
    this.#totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) });
  }

  code(): string {
    const now = Math.floor(Date.now() / stepMs);
    const step = Math.max(this.#last + 1, now);
    if (step > now + 1) throw new Error('Both codes of this time are used: use a recovery code');
    this.#last = step;
    return this.#totp.generate({ timestamp: step * stepMs });
  }
}
