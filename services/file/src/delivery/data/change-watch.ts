import { createListener } from '@portal/database';
import type { Logger } from '@portal/kernel';
import { operator } from '@portal/storage';
import { changeChannel } from '../../files/data/changes.ts';

/** A stretch in which nothing changes for the players of a tenant, unless somebody writes. Times in milliseconds. */
export interface QuietPeriod {
  /** The number of the tenant's last change. */
  readonly change: number;
  /** That of the last change of applications, which the operator publishes. */
  readonly applications: number;
  /** The last time at which something came due. */
  readonly from: number;
  /** The next time at which something comes due; infinite where nothing is planned. */
  readonly until: number;
}

/** Whether two are of the same change of the tenant, and of applications. */
export const isSame = (
  a: Pick<QuietPeriod, 'applications' | 'change'>,
  b: Pick<QuietPeriod, 'applications' | 'change'>,
): boolean => a.change === b.change && a.applications === b.applications;

/** Whether nothing has come due between this time, in milliseconds, and the others of the stretch. */
export const isWithin = ({ from, until }: Pick<QuietPeriod, 'from' | 'until'>, time: number): boolean =>
  time >= from && time < until;

/**
 * Knows without a query whether an up-to-date player is still up to date. It forgets a tenant
 * when NOTIFY reports a change by any instance, and knows nothing while it cannot receive notifications.
 */
export interface ChangeWatch {
  /** Undefined: ask the database. */
  quietOf(partnerId: number): QuietPeriod | undefined;
  /** Call it before reading a `QuietPeriod`; what happens meanwhile makes `keep` forget what was read. */
  epochOf(partnerId: number): number;
  keep(partnerId: number, epoch: number, quiet: QuietPeriod): void;
  /** After a commit of this instance: the next request must see it. A change of the operator concerns every tenant. */
  forget(partnerId: number): void;
  start(): void;
  close(): Promise<void>;
}

export function createChangeWatch(options: { connectionString: string; logger: Logger }): ChangeWatch {
  const known = new Map<number, QuietPeriod>();
  const forgotten = new Map<number, number>();
  let listening = false;
  let epochs = 0;
  /** What was read in epochs before this one is of no use any more. */
  let since = 0;

  function forget(partnerId: number): void {
    if (partnerId === operator) {
      // An application may go to every tenant.
      forgetAll();
      return;
    }
    known.delete(partnerId);
    epochs += 1;
    forgotten.set(partnerId, epochs);
  }

  function forgetAll(): void {
    known.clear();
    forgotten.clear();
    epochs += 1;
    since = epochs;
  }

  function deaf(): void {
    listening = false;
    forgetAll();
  }

  const listener = createListener({
    ...options,
    name: 'file changes',
    channel: changeChannel,
    onNotification: (payload) => forget(Number(payload)),
    onListening: () => {
      listening = true;
    },
    onDeaf: deaf,
  });

  return {
    quietOf: (partnerId) => known.get(partnerId),
    epochOf: () => epochs,
    keep(partnerId, epoch, quiet) {
      if (listening && epoch >= since && epoch >= (forgotten.get(partnerId) ?? 0))
        known.set(partnerId, quiet);
    },
    forget,
    start: () => listener.start(),
    close: () => listener.close(),
  };
}
