import type { ApiError } from '@portal/api-client';
import { asApiError } from '../../lib/api.ts';
import { approvalOf } from './use-sent-for-approval.ts';

/** What has become of several changes, one after the other. */
export interface Outcome<F> {
  readonly changed: readonly F[];
  /** Those that became requests, and the ids of these. */
  readonly sent: readonly F[];
  readonly approvals: readonly number[];
  /** The first that was refused: those after it were not tried. */
  readonly refused?: { readonly file: F; readonly error: ApiError };
}

export const nothingYet: Outcome<never> = { changed: [], sent: [], approvals: [] };

/** Goes on from `before` with `files`, up to the first that is refused. One that is gone by now is as wanted. */
export async function applyEach<F>(
  before: Outcome<F>,
  files: readonly F[],
  apply: (file: F) => Promise<object>,
  onStep: (done: number) => void,
): Promise<Outcome<F>> {
  const changed = [...before.changed];
  const sent = [...before.sent];
  const approvals = [...before.approvals];
  for (const file of files) {
    try {
      const approvalId = approvalOf(await apply(file));
      if (approvalId === undefined) changed.push(file);
      else {
        sent.push(file);
        approvals.push(approvalId);
      }
    } catch (cause) {
      const error = asApiError(cause);
      if (error.status !== 404) return { changed, sent, approvals, refused: { file, error } };
      changed.push(file);
    }
    onStep(changed.length + sent.length);
  }
  return { changed, sent, approvals };
}
