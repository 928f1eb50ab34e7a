import { checkAddress, noteArrival } from '@portal/contracts/internal';
import { type Implementation, implement } from '@portal/service-kit';
import type { KnownFiles } from '../delivery/data/known-files.ts';
import type { Dependencies } from '../dependencies.ts';
import { checkAddress as check } from '../signed-urls/use-cases/check-address.ts';
import { noteArrival as note } from '../uploads/use-cases/note-arrival.ts';

/** What other services ask of this one. */
export function internalRoutes(deps: Dependencies & { readonly knownFiles: KnownFiles }): Implementation[] {
  return [
    implement(checkAddress, async ({ body }) => {
      await check(deps, body);
      return {};
    }),

    implement(noteArrival, async ({ body }) => {
      await note(deps, body);
      return {};
    }),
  ];
}
