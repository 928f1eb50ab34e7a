import { deliveryRoutes, rolloutRoutes } from '@portal/contracts';
import { useState } from 'react';
import type { Rollout } from '../../../components/rollout/rollout.ts';
import { RolloutActions } from '../../../components/rollout/rollout-actions.tsx';
import { RolloutPanel } from '../../../components/rollout/rollout-panel.tsx';
import type { RolloutAction } from '../../../components/rollout/use-action-words.ts';
import { useApiQuery } from '../../../lib/api.ts';
import { movesEvery } from '../../../lib/moves-every.ts';
import { useMay } from '../../../lib/session/use-session.ts';
import type { Application } from './application-rules.ts';
import { ConfirmStages } from './confirm-stages.tsx';
import { PutBackApplication } from './put-back-application.tsx';

/** How far the current version of an application has come in its stages, over all tenants; nothing of one that goes to all at once. */
export function ApplicationStages({ application }: { application: Application }) {
  const { id } = application;
  const { data } = useApiQuery(deliveryRoutes.listApplicationVersions, {
    params: { id },
    query: { page: 1, perPage: 10 },
  });
  const current = data?.versions.find(({ state }) => state === 'current');
  const former = data?.versions.find(({ state }) => state === 'former')?.version;
  // Only of a version that has stages there is something to ask again and again.
  const rollout = useApiQuery(
    rolloutRoutes.getApplicationRollout,
    { params: { id } },
    { enabled: Boolean(current?.rollout), refetchInterval: movesEvery },
  );
  const shown = rollout.data ?? current?.rollout;
  // What was told of the version before says nothing of this one.
  if (!current || !shown || shown.version !== current.version) return null;
  return <StagesOfApplication application={application} rollout={shown} former={former} />;
}

interface StagesOfApplicationProps {
  application: Application;
  rollout: Rollout;
  /** The newest version that can be put back. */
  former: number | undefined;
}

function StagesOfApplication({ application, former, rollout }: StagesOfApplicationProps) {
  const may = useMay();
  const [isPuttingBack, setIsPuttingBack] = useState(false);
  const [asked, setAsked] = useState<RolloutAction>();
  return (
    <>
      <RolloutPanel rollout={rollout}>
        {may('advanceApplicationRollout') && (
          <RolloutActions
            rollout={rollout}
            former={former}
            onPutBack={() => setIsPuttingBack(true)}
            onAsk={setAsked}
          />
        )}
      </RolloutPanel>
      <ConfirmStages
        application={application}
        rollout={rollout}
        action={asked}
        onClose={() => setAsked(undefined)}
      />
      <PutBackApplication
        application={application}
        version={isPuttingBack ? former : undefined}
        onClose={() => setIsPuttingBack(false)}
      />
    </>
  );
}
