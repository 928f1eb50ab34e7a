import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@portal/api-client';
import type { Player, Receipt } from './player.ts';

/** What has become of a version on this device. */
export interface Told {
  readonly id: number;
  readonly version: number;
}

/** Tells the portal what becomes of each file, so that it shows how a delivery goes. */
export interface Receipts {
  tell(file: Told, status: Receipt['status'], more?: Pick<Receipt, 'progress' | 'reason'>): Promise<void>;
}

const tries = 20;

/** What may be otherwise the next time: the connection broke, the portal is busy or is being started again, or it was asked too often. */
const mayPass = ({ code, status }: ApiError): boolean =>
  code === 'NETWORK' || code === 'TIMEOUT' || status === 429 || status >= 500;

/**
 * A device may send ten receipts in a row and then one a second: who sends more waits, as does who does not reach the portal.
 * A receipt that is refused stops nothing: what the device does is not less true for it. It is told to `refused`, if to nobody
 * else on the console.
 */
export function createReceipts(
  player: Pick<Player, 'sendReceipt'>,
  {
    now = () => new Date(),
    refused = (message) => console.error(`    ${message}`),
    waitMs = 1_000,
  }: { now?: () => Date; refused?: (message: string) => void; waitMs?: number } = {},
): Receipts {
  return {
    async tell({ id, version }, status, more = {}) {
      // When it was so, however long the receipt waits.
      const at = now();
      for (let tried = 1; ; tried += 1) {
        try {
          return await player.sendReceipt(id, { version, status, at, ...more });
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          if (!mayPass(error) || tried === tries) {
            refused(`The receipt "${status}" was refused: ${error.message}`);
            return;
          }
          await sleep(waitMs);
        }
      }
    },
  };
}

/** With `--no-receipts`. */
export const silent: Receipts = { tell: async () => undefined };
