import { hasAnyRole, userRoleBits } from '@portal/contracts';
import { type EventHandler, onMany, userStates } from '@portal/service-kit';
import type { FileDb } from '../../data/db.ts';
import { deleteTokensOf } from '../data/token-repository.ts';

/** The tokens end of whoever is deleted, made inactive, or a company admin no more. */
export const endTokens: readonly EventHandler<FileDb>[] = userStates.map(({ event, read }) =>
  onMany<FileDb, unknown>(event, 'end-calendar-tokens', async ({ db }, envelopes) => {
    const gone = envelopes.flatMap(read).filter(({ state }) => {
      return state === null || state.active === false || !hasAnyRole(state.role, userRoleBits.admin);
    });
    await deleteTokensOf(
      db,
      gone.map(({ id }) => id),
    );
  }),
);
