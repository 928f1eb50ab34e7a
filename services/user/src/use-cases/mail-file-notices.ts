import { requestMails } from '@portal/mail-requests';
import type { JobRun, Transaction } from '@portal/service-kit';
import type { UserDb } from '../data/db.ts';
import {
  claimFileMails,
  findPeople,
  nextPeople,
  passFileNotice,
  takeFileNotice,
} from '../data/file-notice-repository.ts';
import type { Dependencies } from '../dependencies.ts';

/** Users who are mailed in one transaction. */
const batch = 500;

/**
 * Mails the people of groups that a file was delivered to, until all are told or the service stops. A person gets one mail about a
 * file, in however many of its groups they are; who has no address gets none. Several instances may do so at once.
 */
export async function mailFileNotices(
  deps: Pick<Dependencies, 'clock' | 'seals' | 'store'>,
  { scope, stopping }: JobRun,
): Promise<void> {
  let isMore = true;
  while (isMore && !stopping.aborted) {
    isMore = await deps.store.write(scope, async (tx) => mailNextPeople(tx, deps));
  }
}

/** Mails the next users of one notice. Returns false if no unclaimed notice is left. */
async function mailNextPeople(
  tx: Transaction<UserDb>,
  { clock, seals }: Pick<Dependencies, 'clock' | 'seals'>,
): Promise<boolean> {
  const notice = await takeFileNotice(tx.db);
  if (!notice) return false;
  const people = await nextPeople(tx.db, notice, batch);
  await mailAbout(tx, seals, notice, people);
  const told = people.length < batch ? null : (people.at(-1)?.id ?? null);
  await passFileNotice(tx.db, notice, told, clock.now());
  return true;
}

/** Mails these people that a file was delivered to them, but for those who have got that mail. */
export async function mailFilePeople(
  tx: Transaction<UserDb>,
  { seals }: Pick<Dependencies, 'seals'>,
  notice: { readonly partnerId: number; readonly fileId: number; readonly fileName: string },
  userIds: readonly number[],
): Promise<void> {
  await mailAbout(tx, seals, notice, await findPeople(tx.db, notice.partnerId, userIds));
}

async function mailAbout(
  tx: Transaction<UserDb>,
  seals: Dependencies['seals'],
  notice: { readonly partnerId: number; readonly fileId: number; readonly fileName: string },
  people: Awaited<ReturnType<typeof nextPeople>>,
): Promise<void> {
  const { fileName, partnerId } = notice;
  const reachable = people.flatMap(({ active, email, id, name }) =>
    active && email !== null ? [{ id, name, email }] : [],
  );
  const claimed = await claimFileMails(
    tx.db,
    notice,
    reachable.map(({ id }) => id),
  );
  const delivered = { template: 'fileDelivered', language: null, fileName } as const;
  const contents = reachable.flatMap(({ email, id, name }) =>
    claimed.has(id) ? [{ ...delivered, to: email, name }] : [],
  );
  requestMails(tx, seals, { partnerId, contents });
}
