import { randomBytes } from 'node:crypto';
import { createKeyCipher } from '@portal/service-kit';

/** Encryption keys of which the second takes the place of the first: what seals with each alone, and the setting meanwhile. */
export function keyExchange() {
  const [former, present] = [randomBytes(32), randomBytes(32)];
  return {
    former: createKeyCipher(former),
    present: createKeyCipher(present),
    env: { KEY_ENCRYPTION_KEY: [present, former].map((key) => key.toString('base64')).join() },
  };
}
