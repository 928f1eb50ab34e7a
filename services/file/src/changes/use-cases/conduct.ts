import type { Change } from '../../files/data/changes.ts';

/** What is around a change of what people get: it may be looked at, held to what was shown, or asked of another admin. */
export interface Conduct {
  /** Runs `work` in the change, or what there is in its place. */
  around<T>(change: Change, work: (change: Change) => Promise<T>): Promise<T | Waiting>;
  /** Whether the change is only looked at: groups are not held for it. */
  readonly looksOnly: boolean;
  /** When it was asked for, where that was before: times had to be ahead of that moment. */
  readonly askedAt?: Date;
}

/** The change was not made: another admin is to approve it. */
export class Waiting {
  readonly approvalId: number;

  constructor(approvalId: number) {
    this.approvalId = approvalId;
  }

  /** What its call answers. */
  get reply(): { approvalId: number } {
    return { approvalId: this.approvalId };
  }
}

/** What a change without a conduct has come to: it waits for nobody. */
export function made<T>(result: T | Waiting): T {
  if (result instanceof Waiting) throw new Error('A change that nobody asks about does not wait');
  return result;
}
