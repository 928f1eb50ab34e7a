import { formatDateTime, previewRoutes } from '@portal/contracts';
import { type Implementation, implement, type Seals } from '@portal/service-kit';
import type { AskedChange } from '../../changes/domain/asked-change.ts';
import type { ChangeDependencies } from '../../changes/use-cases/run-change.ts';
import { previewChange } from '../use-cases/preview-change.ts';

/** The effects of changes before they are made. */
export function previewsRoutes(deps: ChangeDependencies & { readonly seals: Seals }): Implementation[] {
  return [
    implement(previewRoutes.previewChange, async ({ params, body }, { caller, language }) => {
      const asked = { body: {}, ...body, fileId: params.id } as AskedChange;
      const { collisions, expiresAt, ...preview } = await previewChange(deps, caller, asked, language);
      return { ...preview, expiresAt: formatDateTime(expiresAt), collisions: [...collisions] };
    }),
  ];
}
