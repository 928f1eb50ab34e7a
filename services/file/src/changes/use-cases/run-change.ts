import { AppError } from '@portal/kernel';
import type { Peers } from '@portal/service-kit';
import { assignGroups } from '../../assignments/use-cases/assign-groups.ts';
import type { Uploader } from '../../delivery/use-cases/distribution.ts';
import type { Dependencies } from '../../dependencies.ts';
import { deleteFile } from '../../files/use-cases/delete-file.ts';
import { newVersionOf, noteOf, updateFile } from '../../files/use-cases/update-file.ts';
import type { StoredRollout } from '../../rollouts/data/rollout-repository.ts';
import { changeRollout } from '../../rollouts/use-cases/change-rollout.ts';
import { cancelUpdate } from '../../updates/use-cases/cancel-update.ts';
import { reserveUpdate } from '../../updates/use-cases/reserve-update.ts';
import type { Version } from '../../uploads/data/version-repository.ts';
import { restoreVersion } from '../../versions/use-cases/restore-version.ts';
import type { AskedChange, ChangeBody } from '../domain/asked-change.ts';
import type { Conduct, Waiting } from './conduct.ts';

export type ChangeDependencies = Dependencies & { readonly peers: Peers };

interface Run {
  readonly deps: ChangeDependencies;
  readonly editor: Uploader;
  readonly fileId: number;
  readonly conduct: Conduct;
}

/** What each change comes to; undefined where there is nothing to tell. */
export interface Results {
  groups: Waiting | void;
  file: Version | Waiting | undefined;
  reservation: Version | Waiting | undefined;
  cancel_reservation: Waiting | void;
  restore: number | Waiting;
  rollout: StoredRollout | Waiting;
  deletion: Waiting | void;
}

/** How each change is made: the same for its call, for its preview, and once it is approved. */
export const runs: {
  readonly [W in keyof Results]: (run: Run, body: ChangeBody<W>) => Promise<Results[W]>;
} = {
  groups: async ({ conduct, deps, editor, fileId }, body) =>
    assignGroups(deps, editor, fileId, body, conduct),

  file: async ({ conduct, deps, editor, fileId }, body) =>
    updateFile(
      deps,
      editor,
      fileId,
      {
        name: body.name,
        note: body.note === null ? '' : body.note,
        deliverReservationAt: body.deliverReservationAt,
        newVersion: newVersionOf(body),
        versionNote: noteOf(body),
        rollout: body.rollout,
      },
      conduct,
    ),

  reservation: async ({ conduct, deps, editor, fileId }, body) =>
    reserveUpdate(
      deps,
      editor,
      fileId,
      {
        at: body.updateReservationAt,
        newVersion: newVersionOf(body),
        versionNote: noteOf(body),
        rollout: body.rollout,
      },
      conduct,
    ),

  cancel_reservation: async ({ conduct, deps, editor, fileId }) =>
    cancelUpdate(deps, editor, fileId, conduct),

  restore: async ({ conduct, deps, editor, fileId }, body) =>
    restoreVersion(
      deps,
      editor,
      { fileId, version: body.version },
      { at: body.updateReservationAt, note: body.versionNote ?? '', rollout: body.rollout },
      conduct,
    ),

  rollout: async ({ conduct, deps, editor, fileId }, { action, stage }) => {
    if (action !== 'advance') return changeRollout(deps, editor, fileId, { action }, conduct);
    if (stage === undefined) throw new AppError('E40003', [{ field: 'stage', message: 'required' }]);
    return changeRollout(deps, editor, fileId, { action, stage }, conduct);
  },

  deletion: async ({ conduct, deps, editor, fileId }) => deleteFile(deps, editor, fileId, conduct),
};

/** Any change, by what it is. */
export async function runChange(run: Omit<Run, 'fileId'>, asked: AskedChange): Promise<unknown> {
  const one = { ...run, fileId: asked.fileId };
  switch (asked.what) {
    case 'groups':
      return runs.groups(one, asked.body);
    case 'file':
      return runs.file(one, asked.body);
    case 'reservation':
      return runs.reservation(one, asked.body);
    case 'cancel_reservation':
      return runs.cancel_reservation(one, asked.body);
    case 'restore':
      return runs.restore(one, asked.body);
    case 'deletion':
      return runs.deletion(one, asked.body);
    case 'rollout':
      return runs.rollout(one, asked.body);
  }
}
