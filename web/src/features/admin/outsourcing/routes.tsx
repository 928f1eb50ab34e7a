import { recordRoutes } from '../../../components/record/record-routes.tsx';
import { unitPaths } from '../../../components/unit-links.ts';

export const unitPages = recordRoutes({
  paths: unitPaths,
  texts: ['units', 'administrators', 'partners'],
  needs: { list: 'listUnits', get: 'getUnit', create: 'createUnit', update: 'updateUnit' },
  load: () => import('./unit-record.tsx'),
});
