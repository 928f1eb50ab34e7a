import { rolloutRoutes } from '@portal/contracts';
import { useState } from 'react';
import type { FileDetail } from '../../../../components/files/file.ts';
import type { Rollout } from '../../../../components/rollout/rollout.ts';
import { RolloutActions } from '../../../../components/rollout/rollout-actions.tsx';
import { RolloutPanel } from '../../../../components/rollout/rollout-panel.tsx';
import type { RolloutAction } from '../../../../components/rollout/use-action-words.ts';
import { useApiQuery } from '../../../../lib/api.ts';
import { movesEvery } from '../../../../lib/moves-every.ts';
import { useMay, usePartnerSession } from '../../../../lib/session/use-session.ts';
import { PutBack } from '../put-back.tsx';
import { ConfirmRollout } from './confirm-rollout.tsx';
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
  const [isPuttingBack, setIsPuttingBack] = useState(false);
  const [asked, setAsked] = useState<RolloutAction>();
  return (
    <>
      <RolloutPanel rollout={rollout}>
        {may('advanceRollout') && (
          <RolloutActions
            rollout={rollout}
            former={former}
            onPutBack={() => setIsPuttingBack(true)}
            onAsk={setAsked}
          />
        )}
      </RolloutPanel>
      <ConfirmRollout file={file} rollout={rollout} action={asked} onClose={() => setAsked(undefined)} />
      <PutBack
        file={file}
        version={isPuttingBack && former !== undefined ? { version: former } : undefined}
        onClose={() => setIsPuttingBack(false)}
      />
    </>
  );
}
