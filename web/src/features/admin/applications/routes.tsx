import { recordRoutes } from '../../../components/record/record-routes.tsx';
import { applicationPaths, salesApplicationPaths } from './application-paths.ts';

const needs = {
  list: 'listApplications',
  get: 'getApplication',
  create: 'createApplication',
  update: 'updateApplication',
} as const;
const memoryOnly = ['file'];

export const applicationPages = recordRoutes({
  paths: applicationPaths,
  texts: ['applications', 'files', 'rollout', 'delivery'],
  needs,
  memoryOnly,
  load: async () => ({ record: (await import('./application-records.tsx')).applications }),
});

export const salesApplicationPages = recordRoutes({
  paths: salesApplicationPaths,
  texts: ['salesApplications', 'applications', 'files', 'rollout', 'delivery'],
  needs,
  memoryOnly,
  load: async () => ({ record: (await import('./application-records.tsx')).salesApplications }),
});
