import type { RawQueries } from '@portal/database';
import { type DirectStore, ofPartner } from '@portal/service-kit';
import { LRUCache } from 'lru-cache';
import { playerReads } from '../../data/plans.ts';
import type { Moment } from '../domain/cursor.ts';
import type { Asker } from './asker.ts';
import { type ChangeWatch, isSame, isWithin, type QuietPeriod } from './change-watch.ts';
import { readMoment, type TenantMoment } from './delivered-views.ts';

/**
 * What is the same for everyone of a tenant, or for all who are in the same groups, is read for the first of them, and remembered: after a change
 * every player asks what it means for them.
 */
export interface SharedAnswers {
  /**
   * `read`, or what it answered to who asked under the same `key` since the last change of the tenant and since something came due last.
   * `key` says everything that `read` depends on besides the tenant and the time.
   */
  of<T>(
    asker: Asker,
    key: string,
    now: Date,
    read: (db: RawQueries, moment: TenantMoment) => Promise<T>,
  ): Promise<SharedAnswer<T>>;
  /** One moment for all in whose stead it may be asked, where it is known that nothing came due between them; else `moment` itself. */
  sameAs(partnerId: number, moment: Moment): Moment;
}

export interface SharedAnswer<T> {
  readonly value: T;
  readonly quiet: QuietPeriod;
  /** When it was read. */
  readonly at: Date;
}

/** Of answers as JSON, about. */
const memoryBytes = 16 * 1024 * 1024;
const entryBytes = 500;
/** Of a tenant: cursors are of one of the last, mostly. */
const keptStretches = 8;
const mostTenants = 10_000;

export function createSharedAnswers({
  direct,
  watch,
}: {
  readonly direct: DirectStore;
  readonly watch: ChangeWatch;
}): SharedAnswers {
  const known = new LRUCache<string, SharedAnswer<unknown>>({
    maxSize: memoryBytes,
    sizeCalculation: ({ value }, key) => entryBytes + key.length + JSON.stringify(value, withMaps).length,
  });
  const reading = new Map<string, Promise<SharedAnswer<unknown>>>();
  const stretches = new LRUCache<number, readonly QuietPeriod[]>({ max: mostTenants });

  /** Remembers in which stretches nothing came due, the latest first. */
  function note(partnerId: number, quiet: QuietPeriod): void {
    const others = (stretches.get(partnerId) ?? []).filter(
      (one) => !(isSame(one, quiet) && one.from === quiet.from),
    );
    stretches.set(partnerId, [quiet, ...others].slice(0, keptStretches));
  }

  return {
    async of<T>(
      { applications, change, epoch, partnerId }: Asker,
      key: string,
      now: Date,
      read: (db: RawQueries, moment: TenantMoment) => Promise<T>,
    ) {
      const name = `${partnerId} ${key}`;
      const found = known.get(name);
      if (found && isSame(found.quiet, { applications, change }) && isWithin(found.quiet, now.getTime())) {
        watch.keep(partnerId, epoch, found.quiet);
        return found as SharedAnswer<T>;
      }
      // Those who ask at once share one look, but not one from before a change or from before something came due.
      const look = `${change} ${applications} ${name}`;
      const inHand = reading.get(look);
      if (inHand) {
        const answer = await inHand;
        if (isWithin(answer.quiet, now.getTime())) return answer as SharedAnswer<T>;
      }
      const made = direct.read(ofPartner(partnerId), playerReads, async (db) => {
        const moment = await readMoment(db, partnerId, now);
        const answer = { value: await read(db, moment), quiet: moment.quiet, at: now };
        watch.keep(partnerId, epoch, moment.quiet);
        note(partnerId, moment.quiet);
        known.set(name, answer);
        return answer;
      });
      reading.set(look, made);
      try {
        return await made;
      } finally {
        if (reading.get(look) === made) reading.delete(look);
      }
    },

    sameAs(partnerId, moment) {
      const stretch = stretches
        .get(partnerId)
        ?.find((one) => isSame(one, moment) && isWithin(one, moment.time));
      return stretch ? { ...moment, time: stretch.from } : moment;
    },
  };
}

const withMaps = (_key: string, value: unknown) => (value instanceof Map ? [...value] : value);
