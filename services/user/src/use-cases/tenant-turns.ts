import { AsyncLocalStorage } from 'node:async_hooks';
import { isLockTimeout, type RawQueries, type Scope } from '@portal/database';
import { AppError, changeCount } from '@portal/kernel';
import { type DirectStore, ofPartner, type Store, type Transaction, together } from '@portal/service-kit';
import type { UserDb } from '../data/db.ts';
import type { Prisma } from '../data/generated/client.ts';
import { lockPartner } from '../data/partner-repository.ts';
import type { Licences } from '../domain/licence.ts';

/**
 * Makes a change that holds its tenant (`lockPartner`), which is held when `work` begins, after what came before it for the tenant.
 * It may run again, as `write` of the store. Throws `E40402` for a partner that is not known, `E50301` when too much of the tenant
 * waits, or for too long.
 */
export type InTurn = <T>(
  partnerId: number,
  work: (tx: Transaction<UserDb>, licences: Licences) => Promise<T>,
) => Promise<T>;

/** Of each pool fewer than it has connections: while some tenants are held, there are some for everything else. */
const turnsAtOnce = 4;
const attemptsAtOnce = 2;
/** Of one tenant, which is more than is done within the time that a caller waits. */
const mostWaiting = 200;
/** Less than services wait for each other: who calls is told that the change was not made before they give up. */
const longestWaitMs = 8_000;
/** Longer than a row is held but by a large change, and so short that as many sign-ins as passwords can be compared leave connections to others. */
const momentMs = 30;
/** A turn that finds its tenant held ends after this, so that others have theirs. */
const turnMs = 250;

/** Makes an attempt that fails when others hold a row of the tenant for longer than `longestLockMs`. */
type Attempt<T> = (longestLockMs: number) => Promise<T>;

/**
 * A large change, such as an import, holds its tenant or its accounts for minutes. What needs them waits here and not on a connection
 * each, so it holds up nobody of another tenant: changes that hold the tenant from the beginning, and whatever else finds a row held
 * once it has found that.
 */
export function createTenantTurns({
  direct,
  store,
}: {
  readonly direct: DirectStore;
  readonly store: Store<UserDb>;
}): { direct: Pick<DirectStore, 'statements'>; inTurn: InTurn; store: Store<UserDb> } {
  const turn = createLine(turnsAtOnce);
  const again = createLine(attemptsAtOnce);

  async function untilFree<T>(scope: Scope, attempt: Attempt<T>): Promise<T> {
    if (scope.kind !== 'partner') return attempt(0);
    try {
      return await attempt(momentMs);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      return again(scope.partnerId, async () => attempt(turnMs));
    }
  }

  return {
    inTurn: async (partnerId, work) =>
      turn(partnerId, async () =>
        store.write(
          ofPartner(partnerId),
          async (tx) => {
            const licences = await lockPartner(tx.db, partnerId);
            // A large change is not to begin anew because of an account that is held for a moment.
            await tx.db.$executeRaw`SELECT set_config('lock_timeout', '0', true)`;
            return work(tx, licences);
          },
          { longestLockMs: turnMs },
        ),
      ),
    store: {
      ...store,
      write: async (scope, work, options) =>
        untilFree(scope, async (longestLockMs) => store.write(scope, work, { longestLockMs, ...options })),
    },
    direct: {
      statements: (scope) => {
        const within = async <T>(send: (db: RawQueries) => PromiseLike<T>): Promise<T> =>
          untilFree(scope, async (longestLockMs) => send(direct.statements(scope, longestLockMs)));
        return {
          $queryRaw: async <T>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) =>
            within((db) => db.$queryRaw<T>(query, ...values)),
          $executeRaw: async (query, ...values) => within((db) => db.$executeRaw(query, ...values)),
          $executeRawUnsafe: async (text, ...values) => within((db) => db.$executeRawUnsafe(text, ...values)),
        };
      },
    },
  };
}

/** Runs attempts of one tenant one after the other, those that ended because something was held again behind the others. */
function createLine(atOnce: number) {
  const run = together<{ partnerId: number; attempt: () => Promise<unknown> }, unknown>({
    most: 1,
    atOnce,
    nameOf: ({ partnerId }) => String(partnerId),
    run: async (those) => Promise.all(those.map(async ({ attempt }) => attempt())),
  });
  /** Those that wait and the one under way, by their tenants. */
  const inLine = new Map<number, number>();

  /** Is refused once it has waited long enough, but never while it is under way, for then it may take effect. */
  async function untilOver<T>(partnerId: number, attempt: () => Promise<T>): Promise<T> {
    const refusal = Promise.withResolvers<never>();
    let isOver = false;
    let isUnderWay = false;
    const timer = setTimeout(() => {
      isOver = true;
      if (!isUnderWay) refusal.reject(new AppError('E50301'));
    }, longestWaitMs);
    // In the context of its own request, whichever starts it.
    const bound = AsyncLocalStorage.bind(async () => {
      if (isOver) throw new AppError('E50301');
      isUnderWay = true;
      try {
        return await attempt();
      } finally {
        isUnderWay = false;
      }
    });
    const untilDone = async (): Promise<T> => {
      for (;;) {
        try {
          return (await run({ partnerId, attempt: bound })) as T;
        } catch (error) {
          if (!isLockTimeout(error)) throw error;
          if (isOver) throw new AppError('E50301', [], { cause: error });
        }
      }
    };
    try {
      return await Promise.race([untilDone(), refusal.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  return async <T>(partnerId: number, attempt: () => Promise<T>): Promise<T> => {
    if ((inLine.get(partnerId) ?? 0) > mostWaiting) throw new AppError('E50301');
    changeCount(inLine, partnerId, 1);
    try {
      return await untilOver(partnerId, attempt);
    } finally {
      changeCount(inLine, partnerId, -1);
    }
  };
}
