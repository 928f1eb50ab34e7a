import { rolloutRoutes } from '@portal/contracts';
import { useState } from 'react';
import { approvalOf, useSentForApproval } from '../../../../components/effect/use-sent-for-approval.ts';
import type { FileDetail } from '../../../../components/files/file.ts';
import type { Rollout } from '../../../../components/rollout/rollout.ts';
import { type RolloutAction, RolloutActions } from '../../../../components/rollout/rollout-actions.tsx';
import { RolloutPanel } from '../../../../components/rollout/rollout-panel.tsx';
import { useApi, useApiQuery } from '../../../../lib/api.ts';
import { movesEvery } from '../../../../lib/moves-every.ts';
import { useMay, usePartnerSession } from '../../../../lib/session/use-session.ts';
import { PutBack } from '../put-back.tsx';
import { useFilesChanged } from '../use-files-changed.ts';
import { useStages } from './use-stages.ts';

/** How far the current version has come in its stages; nothing of one that goes to all at once. */
export function RolloutSection({ file }: { file: FileDetail }) {
  const { partner } = usePartnerSession();
  const stages = useStages(file);
  const current = stages?.current;
  // Only of a version that has stages there is something to ask again and again.
  const rollout = useApiQuery(
    rolloutRoutes.getRollout,
    { params: { pid: partner.id, id: file.id } },
    { enabled: Boolean(current?.rollout), refetchInterval: movesEvery },
  );
  const shown = rollout.data ?? current?.rollout;
  // What was told of the version before says nothing of this one.
  if (!current || !shown || shown.version !== current.version) return null;
  return <StagesOfFile file={file} rollout={shown} former={stages.former} />;
}

interface StagesOfFileProps {
  file: FileDetail;
  rollout: Rollout;
  /** The newest version that can be put back. */
  former: number | undefined;
}

function StagesOfFile({ file, former, rollout }: StagesOfFileProps) {
  const may = useMay();
  const api = useApi();
  const { partner } = usePartnerSession();
  const filesChanged = useFilesChanged();
  const sentForApproval = useSentForApproval();
  const [isPuttingBack, setIsPuttingBack] = useState(false);
  const params = { pid: partner.id, id: file.id };

  function act(action: RolloutAction, stage: number): Promise<object> {
    if (action === 'advance') return api.call(rolloutRoutes.advanceRollout, { params, body: { stage } });
    const calls = {
      halt: rolloutRoutes.haltRollout,
      resume: rolloutRoutes.resumeRollout,
      cancel: rolloutRoutes.cancelRollout,
    };
    return api.call(calls[action], { params });
  }

  function isSentForApproval(reply: object): boolean {
    const approvalId = approvalOf(reply);
    if (approvalId !== undefined) sentForApproval([approvalId]);
    return approvalId !== undefined;
  }

  return (
    <>
      <RolloutPanel rollout={rollout}>
        {may('advanceRollout') && (
          <RolloutActions
            name={file.name}
            rollout={rollout}
            former={former}
            onPutBack={() => setIsPuttingBack(true)}
            act={act}
            isToldOtherwise={isSentForApproval}
            changed={filesChanged}
          />
        )}
      </RolloutPanel>
      <PutBack
        file={file}
        version={isPuttingBack && former !== undefined ? { version: former } : undefined}
        onClose={() => setIsPuttingBack(false)}
      />
    </>
  );
}
