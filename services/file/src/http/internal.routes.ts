import { checkAddress } from '@portal/contracts/internal';
import { type Implementation, implement } from '@portal/service-kit';
import type { KnownFiles } from '../data/known-files.ts';
import { checkAddress as check } from '../use-cases/check-address.ts';
import type { FileTools } from '../use-cases/file-use-cases.ts';

/** What other services ask of this one. */
export function internalRoutes(tools: FileTools & { readonly knownFiles: KnownFiles }): Implementation[] {
  return [
    implement(checkAddress, async ({ body }) => {
      await check(tools, body);
      return {};
    }),
  ];
}
