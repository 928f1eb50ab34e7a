import { userRoutes } from '@portal/contracts';
import { type Implementation, implement } from '@portal/service-kit';
import type { Dependencies } from '../dependencies.ts';
import { updatePlatform } from '../use-cases/update-platform.ts';

export function platformRoutes(deps: Dependencies): Implementation[] {
  return [
    implement(userRoutes.updatePlatform, async ({ params, body }, { caller }) => {
      await updatePlatform(deps, caller, params.uuid, body);
      return {};
    }),
  ];
}
