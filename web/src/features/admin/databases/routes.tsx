import { NeedsTenant } from '../../../components/needs-tenant.tsx';
import { page, withTexts } from '../../../lib/route-page.ts';
import { FlowRoute } from '../../../ui/flow/flow.tsx';
import { databaseCreateFlow, databaseEditFlow, databaseListPath } from './database-flows.ts';

type FormPage = keyof typeof import('./form-pages.tsx');
const formPage = (name: FormPage) => page(() => import('./form-pages.tsx'), name);

/** The document databases of companies: their contracts, their use, and their keys. */
export const databasePages = withTexts(
  ['databases', 'documents'],
  [
    {
      path: databaseListPath,
      handle: { needs: 'listDatabases' },
      ...page(() => import('./list-page.tsx'), 'DatabaseListPage'),
    },
    {
      element: <FlowRoute flow={databaseCreateFlow} />,
      handle: { needs: 'createDatabase' },
      children: [
        { path: databaseCreateFlow.paths.form, ...formPage('DatabaseCreatePage') },
        { path: databaseCreateFlow.paths.confirm, ...formPage('DatabaseCreateConfirmPage') },
        { path: databaseCreateFlow.paths.complete, ...formPage('DatabaseCreateCompletePage') },
      ],
    },
    {
      element: <NeedsTenant />,
      children: [
        {
          element: <FlowRoute flow={databaseEditFlow} />,
          handle: { needs: 'updateDatabase' },
          children: [
            { path: databaseEditFlow.paths.form, ...formPage('DatabaseEditPage') },
            { path: databaseEditFlow.paths.confirm, ...formPage('DatabaseEditConfirmPage') },
            { path: databaseEditFlow.paths.complete, ...formPage('DatabaseEditCompletePage') },
          ],
        },
      ],
    },
  ],
);
