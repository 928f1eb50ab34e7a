import type { Clock } from '@portal/kernel';
import { type DirectStore, ofPartner } from '@portal/service-kit';
import { LRUCache } from 'lru-cache';
import { offeredIds } from '../../applications/data/reach.ts';
import { playerReads } from '../../data/plans.ts';
import { liveFileIds } from '../../files/data/file-repository.ts';
import { knowMember, layersFor, type Player, stagedOf } from '../../rollouts/data/reached-repository.ts';
import { plansOf } from '../../rollouts/data/rollout-repository.ts';
import { inGroupsNow, readAsker } from './asker.ts';
import { type ChangeWatch, isSame, isWithin, type QuietPeriod } from './change-watch.ts';
import { givenIds, readMoment } from './delivered-views.ts';
import type { SharedAnswers } from './shared-answers.ts';

/**
 * Which files somebody has at this moment, by id. It is asked for every icon of a page and every range of a download, so
 * it remembers each answer for as long as nothing of the tenant changes and nothing comes due: update checks are
 * answered by the same knowledge.
 */
export interface KnownFiles {
  deliveredTo(player: Player): Promise<Files>;
  /** Those that are not deleted, and the applications that reach it. */
  ofPartner(partnerId: number): Promise<Files>;
}

/**
 * By their ids. Where not everyone has the current version of a file, the newest that the player is to have; else it says nothing.
 */
export type Files = ReadonlyMap<number, number | undefined>;

interface Known {
  readonly ids: Files;
  readonly quiet: QuietPeriod;
}

const memoryBytes = 16 * 1024 * 1024;
/** Of an entry, and of each id in it, rounded up. */
const entryBytes = 300;
const idBytes = 50;

export function createKnownFiles(deps: {
  readonly answers: SharedAnswers;
  readonly clock: Clock;
  readonly direct: DirectStore;
  readonly watch: ChangeWatch;
}): KnownFiles {
  const { answers, clock, direct, watch } = deps;
  const known = new LRUCache<string, Known>({
    maxSize: memoryBytes,
    sizeCalculation: ({ ids }) => entryBytes + ids.size * idBytes,
  });
  const reading = new Map<string, Promise<Files>>();

  function remembered(key: string, partnerId: number, now: Date): Files | undefined {
    const found = known.get(key);
    const quiet = watch.quietOf(partnerId);
    if (!found || !quiet || !isSame(quiet, found.quiet)) return undefined;
    return isWithin(found.quiet, now.getTime()) ? found.ids : undefined;
  }

  async function idsOf(
    key: string,
    partnerId: number,
    read: (now: Date) => Promise<Known & { readonly isOfOneMoment?: boolean }>,
  ): Promise<Files> {
    const now = clock.now();
    const found = remembered(key, partnerId, now);
    if (found) return found;
    // Those who ask at once share one look, but not one from before a change.
    const name = `${watch.epochOf(partnerId)} ${key}`;
    const inHand = reading.get(name);
    if (inHand) return inHand;
    const look = read(now)
      .then(({ ids, isOfOneMoment = true, quiet }) => {
        if (isOfOneMoment) known.set(key, { ids, quiet });
        return ids;
      })
      .finally(() => reading.delete(name));
    reading.set(name, look);
    return look;
  }

  return {
    deliveredTo: async (player) =>
      idsOf(`${player.partnerId} ${player.userId} ${player.uuid ?? ''}`, player.partnerId, async (now) => {
        const db = direct.statements(ofPartner(player.partnerId));
        const asker = await readAsker(db, player, watch);
        const groups = inGroupsNow(asker);
        const { quiet, value } = await answers.of(
          asker,
          `delivered ${groups.groups}`,
          now,
          async (reads, moment) => {
            const ids = await givenIds(reads, groups, moment.now);
            return { ids, plans: await plansOf(reads, player.partnerId, ids, moment.now) };
          },
        );
        const staged = stagedOf(value.plans);
        const chosen = layersFor(staged, await knowMember(db, asker, staged, asker.change));
        const ids = value.ids.filter((id) => chosen.get(id) !== null);
        return {
          ids: new Map(ids.map((id) => [id, chosen.get(id)?.version])),
          quiet,
          isOfOneMoment: isSame(quiet, asker),
        };
      }),
    ofPartner: async (partnerId) =>
      idsOf(String(partnerId), partnerId, async (now) => {
        const epoch = watch.epochOf(partnerId);
        return direct.read(ofPartner(partnerId), playerReads, async (db) => {
          const { quiet } = await readMoment(db, partnerId, now);
          watch.keep(partnerId, epoch, quiet);
          const ids = [...(await liveFileIds(db, partnerId)), ...(await offeredIds(db, partnerId))];
          return { ids: new Map(ids.map((id) => [id, undefined])), quiet };
        });
      }),
  };
}
