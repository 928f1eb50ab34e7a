import { AppError } from '@portal/kernel';
import { ofPartner, type Seals } from '@portal/service-kit';
import { mayWait } from '../../approvals/data/approval-repository.ts';
import { askForChange } from '../../approvals/use-cases/ask.ts';
import type { Uploader } from '../../delivery/use-cases/distribution.ts';
import type { Change } from '../../files/data/changes.ts';
import { outdated, shownEffect } from '../../previews/use-cases/token.ts';
import { lockDelivery } from '../../receipts/data/audience-repository.ts';
import { deliverySettings } from '../../versions/data/settings-repository.ts';
import { type AskedChange, bytesToCome, type ChangeBody } from '../domain/asked-change.ts';
import { isAnother } from '../domain/outcome.ts';
import { type Conduct, Waiting } from './conduct.ts';
import { type Effect, observe, rehearse } from './observe.ts';
import { type ChangeDependencies, type Results, runs } from './run-change.ts';

type MakeDependencies = ChangeDependencies & { readonly seals: Seals };

/** What its call takes: the body of the change, and the token of its preview. */
type Taken<W extends keyof Results> = { readonly previewToken?: string | undefined } & (W extends
  | 'cancel_reservation'
  | 'deletion'
  ? unknown
  : ChangeBody<W>);

/** Makes each change as its call asks for it, with the token of its preview. */
export function createMake(deps: MakeDependencies) {
  return async <W extends keyof Results>(
    what: W,
    editor: Uploader,
    fileId: number,
    { previewToken, ...body }: Taken<W>,
  ): Promise<Results[W]> => {
    // The kind and the body of a change are of each other, which the compiler forgets of a kind that it does not know: neither that
    // the two make one of the changes, nor that what is left without the token is the body of this kind.
    const asked = { what, body, fileId } as unknown as AskedChange;
    const conduct = await conductOf(deps, editor, asked, previewToken);
    return runs[what]({ deps, editor, fileId, conduct }, body as unknown as ChangeBody<W>);
  };
}

/**
 * The conduct of a change that is made now: with a token, as it was previewed; where the tenant wants two admins for it, another one
 * is asked instead.
 * @throws AppError `E40034` on `previewToken`, in the change too, where the effect is another by now
 */
async function conductOf(
  deps: MakeDependencies,
  editor: Uploader,
  asked: AskedChange,
  token: string | undefined,
): Promise<Conduct> {
  const { clock, seals, store } = deps;
  const { partnerId } = editor;
  const expected =
    token === undefined ? undefined : shownEffect(seals, partnerId, asked, { token, now: clock.now() });
  const { approvalRequired } = await store.read(ofPartner(partnerId), async (db) =>
    deliverySettings(db, partnerId),
  );
  const by = approvalRequired ? await deps.creatorOf(editor) : null;

  return {
    looksOnly: approvalRequired,
    async around(change, work) {
      const now = clock.now();
      const asks = await mayAsk(change, asked);
      if (!asks && expected === undefined) return work(change);
      // Nobody comes or goes meanwhile who is counted.
      await lockDelivery(change.db, [partnerId]);
      if (asks) {
        const effect = await rehearse(change, asked, now, work);
        assertShown(expected, effect);
        if (!waits(asked, effect)) return work(change);
        // It was turned on at this moment.
        if (by === null) throw new AppError('E50301');
        return new Waiting((await askForChange(change, asked, { by, effect, now })).id);
      }
      const { effect, result } = await observe(change, asked, { named: false, now }, work);
      assertShown(expected, effect);
      return result;
    },
  };
}

/** Groups are asked about also of a file that has none yet. */
async function mayAsk(change: Change, asked: AskedChange): Promise<boolean> {
  const { fileId, what } = asked;
  // What does harm is halted at once.
  if (asked.what === 'rollout' && asked.body.action === 'halt') return false;
  return what === 'groups'
    ? (await deliverySettings(change.db, change.partnerId)).approvalRequired
    : mayWait(change, fileId);
}

/** Names and notes wait for nobody, and a version waits when its bytes are there. */
function waits(asked: AskedChange, { after, before }: Effect): boolean {
  return asked.what === 'groups' || (bytesToCome(asked) === undefined && isAnother(before, after));
}

function assertShown(expected: string | undefined, { hash }: Effect): void {
  if (expected !== undefined && hash !== expected) throw outdated();
}
