import type { EventData, userEvents } from '@portal/contracts';
import { AppError } from '@portal/kernel';

interface Group {
  readonly id: number;
  readonly revision: number;
  readonly name: string;
  readonly note: string;
  readonly role: number;
}

/** What events tell of a group. */
export function groupStateOf({
  id,
  name,
  note,
  revision,
  role,
}: Group): EventData<typeof userEvents.groupCreated> {
  return { groupId: id, revision, name, note, role };
}

/** Throws `E40027` for a group that has users, `E40028` for one that has files. */
export function requireEmpty(group: { readonly hasUsers: boolean; readonly hasFiles: boolean }): void {
  if (group.hasUsers) throw new AppError('E40027');
  if (group.hasFiles) throw new AppError('E40028');
}
