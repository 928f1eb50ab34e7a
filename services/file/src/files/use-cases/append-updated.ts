import { fileEvents, formatNullableDateTime } from '@portal/contracts';
import type { Change } from '../data/changes.ts';
import type { File } from '../data/file-repository.ts';

/** Appends the event that tells of a file as it has become. */
export function appendUpdated({ outbox, partnerId }: Change, file: File): void {
  outbox.append(fileEvents.fileUpdated, {
    subject: file.id,
    partnerId,
    data: {
      fileId: file.id,
      name: file.name,
      note: file.note,
      deliverReservationAt: formatNullableDateTime(file.deliverReservationAt),
      updateReservationAt: formatNullableDateTime(file.updateReservationAt),
    },
  });
}
