import { checkAddress, findFile, noteArrival, noteSent } from '@portal/contracts/internal';
import { type Implementation, implement, ofPartner } from '@portal/service-kit';
import type { KnownFiles } from '../delivery/data/known-files.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireFile } from '../receipts/use-cases/find-delivered.ts';
import type { ReceiptIntake } from '../receipts/use-cases/receipt-intake.ts';
import { takeSent } from '../receipts/use-cases/take-sent.ts';
import { checkAddress as check } from '../signed-urls/use-cases/check-address.ts';
import { noteArrival as note } from '../uploads/use-cases/note-arrival.ts';

/** What other services ask of this one. */
export function internalRoutes(
  deps: Dependencies & { readonly intake: ReceiptIntake; readonly knownFiles: KnownFiles },
): Implementation[] {
  return [
    implement(checkAddress, async ({ body }) => {
      await check(deps, body);
      return {};
    }),

    implement(findFile, async ({ body: { fileId, partnerId } }) => {
      await deps.store.read(ofPartner(partnerId), async (db) => requireFile(db, { fileId, partnerId }));
      return {};
    }),

    implement(noteArrival, async ({ body }) => {
      await note(deps, body);
      return {};
    }),

    implement(noteSent, async ({ body }) => {
      await takeSent(deps, body.sent);
      return {};
    }),
  ];
}
