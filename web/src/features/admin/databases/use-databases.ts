import { databaseRoutes, type RouteContract, type RouteReply, tenantRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { useApiQuery } from '../../../lib/api.ts';
import { idOf } from '../../../lib/edit-link.ts';
import type { Crumb } from '../../../ui/page/page-header.tsx';
import { databaseListPath } from './database-flows.ts';

export type Database = RouteReply<typeof databaseRoutes.getDatabase>;

/** The database of the company whose id stands in the address. */
export function useDatabaseOfAddress() {
  const [params] = useSearchParams();
  return useApiQuery(databaseRoutes.getDatabase, { params: { pid: idOf(params) } });
}

export function useDatabaseCrumbs(here?: string): readonly Crumb[] {
  const { t } = useTranslation(['databases', 'shell']);
  const home = { label: t('shell:home'), to: '/admin/menu' };
  if (here === undefined) return [home, { label: t('title') }];
  return [home, { label: t('title'), to: databaseListPath }, { label: here }];
}

const stale: readonly RouteContract[] = [
  databaseRoutes.listDatabases,
  databaseRoutes.getDatabase,
  tenantRoutes.getSummary,
];

/** Has what changes with a database asked for again. */
export function useDatabasesChanged(): () => Promise<unknown> {
  const queries = useQueryClient();
  return () => Promise.all(stale.map(({ id }) => queries.invalidateQueries({ queryKey: [id] })));
}
