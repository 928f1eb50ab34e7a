import type { ApiError } from '@portal/api-client';
import { useAction } from '../../lib/use-action.ts';
import { type AskedChange, type Preview, usePreview } from './use-preview.ts';
import { approvalOf, type Sent, useSentForApproval } from './use-sent-for-approval.ts';

interface ChangeOptions<R extends object> {
  /** Nothing while nobody is asked for confirmation. */
  readonly asked: AskedChange | undefined;
  /** It does not wait until its effect is known. */
  readonly isUrgent?: boolean;
  /** Makes the change, which has the effect of this token or is refused. */
  readonly apply: (previewToken: string | undefined) => Promise<R>;
  readonly onDone: (reply: Exclude<R, Sent>) => unknown;
  /** It waits for another administrator, as was said. */
  readonly onSent: () => unknown;
  readonly onError: (error: ApiError) => unknown;
}

export interface Change {
  readonly preview: Preview;
  readonly isPending: boolean;
  /** Nothing is confirmed before its effect is told, unless it is urgent. */
  readonly canConfirm: boolean;
  readonly confirm: () => void;
}

/** A change whose effect is told before, and which is applied with that effect or not at all. */
export function useChange<R extends object>({
  apply,
  asked,
  isUrgent = false,
  onDone,
  onError,
  onSent,
}: ChangeOptions<R>): Change {
  const preview = usePreview(asked);
  const tellSent = useSentForApproval();
  const action = useAction({
    mutationFn: apply,
    async onSuccess(reply) {
      const approvalId = approvalOf(reply);
      if (approvalId === undefined) {
        // It is no request.
        await onDone(reply as Exclude<R, Sent>);
        return;
      }
      tellSent([approvalId]);
      await onSent();
    },
    onError: (error) => (preview.isOutdatedBy(error) ? undefined : onError(error)),
  });
  const canConfirm = isUrgent || preview.effect !== undefined;
  return {
    preview,
    isPending: action.isPending,
    canConfirm,
    confirm: () => canConfirm && action.mutate(preview.effect?.previewToken),
  };
}
