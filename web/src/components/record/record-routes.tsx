import type { RouteObject } from 'react-router-dom';
import type { Namespace } from '../../lib/i18n.ts';
import { withTexts } from '../../lib/route-page.ts';
import type { Call } from '../../lib/session/calls.ts';
import { FlowRoute } from '../../ui/flow/flow.tsx';
import type { FlowDefinition } from '../../ui/flow/flow-store.ts';
import type { AnyRecord } from './record.ts';
import type { RecordPaths } from './record-paths.ts';

interface RecordRoutes {
  readonly paths: RecordPaths;
  readonly texts: readonly Namespace[];
  /** The call without which each page makes no sense; a record without one of them has no such page. */
  readonly needs: Readonly<{ list: Call } & Partial<Record<'get' | 'create' | 'update', Call>>>;
  /** The fields of the form that are never stored, such as passwords. */
  readonly memoryOnly?: readonly string[];
  /** Pages of their own on which something of the form is chosen. */
  readonly aside?: readonly string[];
  /** The record, with the code of its pages. */
  readonly load: () => Promise<{ readonly record: AnyRecord }>;
  /** Further pages. */
  readonly more?: readonly RouteObject[];
}

type Pages = typeof import('./record-pages.ts');
type PageName = keyof Pages;

/** The flow in which a record is created or edited. */
export const recordFlow = (
  { aside = [], memoryOnly = [], paths }: Pick<RecordRoutes, 'aside' | 'memoryOnly' | 'paths'>,
  step: 'create' | 'edit',
): FlowDefinition<Record<string, unknown>> => ({
  name: `${paths.list.slice(1).replaceAll('/', '-')}-${step}`,
  paths: paths[step],
  memoryOnly,
  aside,
});

/** The pages of a record at its addresses, each for who may make its call. */
export function recordRoutes({
  paths,
  texts,
  needs,
  memoryOnly = [],
  aside = [],
  load,
  more = [],
}: RecordRoutes): RouteObject {
  const page = (path: string, name: PageName): RouteObject => ({
    path: path.replace(/\/$/, ''),
    async lazy() {
      const [{ record }, pages] = await Promise.all([load(), import('./record-pages.ts')]);
      const Page = pages[name];
      // The next record's page is another one, although its component is the same: with other hooks, and nothing of this one's state.
      return { element: <Page key={path} record={record} /> };
    },
  });
  const flow = (step: 'create' | 'edit') => recordFlow({ paths, memoryOnly, aside }, step);
  return withTexts(texts, [
    { handle: { needs: needs.list }, ...page(paths.list, 'RecordListPage') },
    ...(needs.get === undefined
      ? []
      : [{ handle: { needs: needs.get }, ...page(paths.detail, 'RecordDetailPage') }]),
    ...(needs.create === undefined
      ? []
      : [
          {
            element: <FlowRoute flow={flow('create')} />,
            handle: { needs: needs.create },
            children: [
              page(paths.create.form, 'RecordCreatePage'),
              page(paths.create.confirm, 'RecordCreateConfirmPage'),
              page(paths.create.complete, 'RecordCreateCompletePage'),
            ],
          },
        ]),
    ...(needs.update === undefined
      ? []
      : [
          {
            element: <FlowRoute flow={flow('edit')} />,
            handle: { needs: needs.update },
            children: [
              page(paths.edit.form, 'RecordEditPage'),
              page(paths.edit.confirm, 'RecordEditConfirmPage'),
              page(paths.edit.complete, 'RecordEditCompletePage'),
            ],
          },
        ]),
    ...more,
  ]);
}
