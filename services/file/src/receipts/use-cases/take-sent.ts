import { AppError } from '@portal/kernel';
import type { Dependencies } from '../../dependencies.ts';
import type { ReceiptIntake } from './receipt-intake.ts';

/** A version of which the gateway sent a device the last byte. */
interface Sent {
  readonly partnerId: number;
  readonly accountId: number;
  readonly platformUuid: string;
  readonly fileId: number;
  readonly version: number;
  readonly at: string;
}

/**
 * What has passed the gateway counts as downloaded. A download that counts for nobody any more is passed over: its file or device
 * may be gone by now.
 */
export async function takeSent(
  { clock, intake }: Pick<Dependencies, 'clock'> & { readonly intake: ReceiptIntake },
  sent: readonly Sent[],
): Promise<void> {
  const now = clock.now();
  await Promise.all(
    sent.map(async ({ accountId, at, fileId, partnerId, platformUuid, version }) => {
      try {
        await intake.take(partnerId, {
          userId: accountId,
          uuid: platformUuid,
          fileId,
          version,
          status: 'downloaded',
          // The clocks of two machines are never quite the same.
          at: new Date(Math.min(now.getTime(), Date.parse(at))),
          progress: null,
          reason: null,
          toldBy: 'gateway',
        });
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
      }
    }),
  );
}
