/** What a player tells of a version on its device, in the order in which it goes well. */
export const receiptStatuses = ['downloading', 'downloaded', 'installed', 'failed', 'removed'] as const;
export type ReceiptStatus = (typeof receiptStatuses)[number];

/** What was told of a version on a device. */
export interface Step {
  readonly status: ReceiptStatus;
  /** When it was so, as the device says. */
  readonly at: Date;
  /** Of what is downloading, from 0 to 1. */
  readonly progress: number | null;
  readonly reason: string | null;
  readonly toldBy: 'player' | 'gateway';
}

const order: readonly ReceiptStatus[] = ['downloading', 'downloaded', 'installed'];
const rankOf = (status: ReceiptStatus): number => order.indexOf(status);
const isOver = (status: ReceiptStatus): boolean => rankOf(status) < 0;

/**
 * What stands of a version on a device once `told` was told and `last` stood; `last` itself where that changes nothing. A repeat
 * and an older step change nothing, whatever else they say; a repeat of `downloading` moves its progress forward.
 */
export function nextStep(last: Step | undefined, told: Step): Step {
  if (!last || counts(last, told)) return withProgress(told);
  if (last.status === 'downloading' && told.status === 'downloading') {
    const progress = Math.max(last.progress ?? 0, told.progress ?? 0);
    return progress > (last.progress ?? 0) ? { ...last, progress } : last;
  }
  return last;
}

function counts(last: Step, told: Step): boolean {
  if (last.status === told.status) return false;
  // After an end, whatever the device says later is a new try. That the gateway sent the last byte often comes after it.
  if (isOver(last.status)) return told.toldBy === 'player' && told.at > last.at;
  // The gateway has another clock than the device.
  const isOlder = last.toldBy === 'player' && told.at < last.at;
  switch (told.status) {
    case 'failed':
      return last.status !== 'installed' && !isOlder;
    case 'removed':
      return !isOlder;
    default:
      // Clocks of devices jump: what follows what is known without them.
      return rankOf(told.status) > rankOf(last.status);
  }
}

const withProgress = (step: Step): Step =>
  step.status === 'downloading' || step.progress === null ? step : { ...step, progress: null };
