import { type fileRoutes, type RouteRequest } from '@portal/contracts';
import { type FileDetail, isUpdatePending } from '../../../components/files/file.ts';
import { rolloutBody } from '../../../components/rollout/plan-values.ts';
import { chosenFileOf } from '../../../components/upload/chosen-file.ts';
import { changedFields } from '../../../lib/changed-fields.ts';
import type { FileEditValues } from './file-flows.ts';

/** What the calls are told that save an edited file. */
export interface EditBodies {
  readonly file: RouteRequest<typeof fileRoutes.updateFile>['body'];
  /** Of what `file` changes people get something: the bytes or the time. */
  readonly changesDelivery: boolean;
  /** Undefined where the reservation stays as it is. */
  readonly reservation: RouteRequest<typeof fileRoutes.reserveUpdate>['body'] | undefined;
}

/**
 * What differs from `before`, with which the form was filled. A time that stays as it is would be a request where two people
 * decide.
 */
export async function editBodiesOf(
  stored: FileDetail,
  values: FileEditValues,
  before: FileEditValues,
): Promise<EditBodies> {
  const { deliverReservationAt, file, name, note, updateFile, updateNote, updateReservationAt } = values;
  const isRescheduled = deliverReservationAt !== before.deliverReservationAt;
  const isReserved =
    updateReservationAt !== '' &&
    (updateFile !== undefined ||
      (isUpdatePending(stored) &&
        (updateReservationAt !== before.updateReservationAt || values.updateRollout.way !== 'keep')));
  return {
    file: {
      ...changedFields({ name, note }, { name: before.name, note: before.note }),
      ...(isRescheduled && { deliverReservationAt: deliverReservationAt || null }),
      ...(file && {
        ...(await chosenFileOf(file)),
        versionNote: values.versionNote,
        ...rolloutBody(values.rollout),
      }),
    },
    changesDelivery: isRescheduled || file !== undefined,
    reservation: isReserved
      ? {
          updateReservationAt,
          ...(updateFile && { ...(await chosenFileOf(updateFile)), versionNote: updateNote }),
          ...rolloutBody(values.updateRollout, isUpdatePending(stored)),
        }
      : undefined,
  };
}
