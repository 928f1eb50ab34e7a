import type { Language, previewRoutes } from '@portal/contracts';
import type { Seals } from '@portal/service-kit';
import { countWaiting } from '../../approvals/data/approval-repository.ts';
import type { AskedChange } from '../../changes/domain/asked-change.ts';
import type { Conduct } from '../../changes/use-cases/conduct.ts';
import { type Effect, observe, type ShownEffect, showEffect } from '../../changes/use-cases/observe.ts';
import { type ChangeDependencies, runChange } from '../../changes/use-cases/run-change.ts';
import type { Uploader } from '../../delivery/use-cases/distribution.ts';
import { deliverySettings } from '../../versions/data/settings-repository.ts';
import { collisionsOf } from '../domain/collisions.ts';
import { previewToken } from './token.ts';

export interface Preview extends ShownEffect {
  readonly previewToken: string;
  readonly expiresAt: Date;
  readonly collisions: readonly { kind: previewRoutes.CollisionKind; message: string }[];
}

/** What a preview has seen, on its way out of the transaction, which is taken back. */
class Seen extends Error {
  readonly effect: Effect;
  readonly preview: Omit<Preview, 'expiresAt' | 'previewToken'>;

  constructor(effect: Effect, preview: Omit<Preview, 'expiresAt' | 'previewToken'>) {
    super('A preview changes nothing');
    this.effect = effect;
    this.preview = preview;
  }
}

/**
 * The effect of a change: it is made, looked at, and taken back.
 * @throws AppError as the change does
 */
export async function previewChange(
  deps: ChangeDependencies & { readonly seals: Seals },
  editor: Uploader,
  asked: AskedChange,
  language: Language,
): Promise<Preview> {
  const { clock, seals } = deps;
  const conduct: Conduct = {
    looksOnly: true,
    async around(change, work) {
      const now = clock.now();
      const { effect } = await observe(change, asked, { named: true, now }, work);
      const { versionsKept } = await deliverySettings(change.db, change.partnerId);
      const waiting = await countWaiting(change, asked.fileId, now);
      throw new Seen(effect, {
        ...showEffect(effect),
        collisions: collisionsOf(asked, effect, { versionsKept, waiting }, language),
      });
    },
  };
  const { effect, preview } = await seen(async () => runChange({ deps, editor, conduct }, asked));
  return {
    ...preview,
    ...previewToken(seals, editor.partnerId, asked, { hash: effect.hash, now: clock.now() }),
  };
}

async function seen(run: () => Promise<unknown>): Promise<Seen> {
  try {
    await run();
  } catch (error) {
    if (error instanceof Seen) return error;
    throw error;
  }
  throw new Error('The change was not looked at');
}
