import { deliveryRoutes } from '@portal/contracts';
import type { FileDetail } from '../../../../components/files/file.ts';
import type { Rollout } from '../../../../components/rollout/rollout.ts';
import { useTenant } from '../../../../components/tenant.ts';
import { useApiQuery } from '../../../../lib/api.ts';
import { useMay } from '../../../../lib/session/use-session.ts';

interface Stages {
  /** Of the version that people are to have now, with its number. */
  readonly current: { readonly version: number; readonly rollout: Rollout | null } | undefined;
  readonly reserved: Rollout | null;
  /** The newest version that can be put back. */
  readonly former: number | undefined;
  /** They are asked for again, and may be others by now. */
  readonly isFetching: boolean;
}

const none: Stages = { current: undefined, reserved: null, former: undefined, isFetching: false };

/** The stages of the versions of a file; undefined while they are loaded. Who may not read them, and applications, have none. */
export function useStages(file: Pick<FileDetail, 'application' | 'id'> | undefined): Stages | undefined {
  const may = useMay();
  const partner = useTenant();
  const isAsked = file !== undefined && !file.application && may('listVersions');
  const { data, error, isFetching } = useApiQuery(
    deliveryRoutes.listVersions,
    { params: { pid: partner.id, id: file?.id ?? 0 }, query: { page: 1, perPage: 10 } },
    { enabled: isAsked },
  );
  if (file === undefined) return undefined;
  if (!isAsked || error) return { ...none, isFetching };
  if (!data) return undefined;
  const find = (state: 'current' | 'former' | 'reserved') => data.versions.find((one) => one.state === state);
  return {
    current: find('current'),
    reserved: find('reserved')?.rollout ?? null,
    former: find('former')?.version,
    isFetching,
  };
}

/** Whether stages go on, so that a second rollout of the version is refused. */
export const isUnderWay = (rollout: Rollout | null | undefined): boolean =>
  Boolean(rollout) && rollout?.state !== 'done';
