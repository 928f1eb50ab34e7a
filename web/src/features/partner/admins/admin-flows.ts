import type { companyAdminRoutes, RouteReply } from '@portal/contracts';
import type { FlowDefinition } from '../../../ui/flow/flow-store.ts';

export type CompanyAdmin = RouteReply<typeof companyAdminRoutes.getCompanyAdmin>;

export type CompanyAdminValues = {
  name: string;
  email: string;
  password: string;
  createUserFlag: boolean;
};

export const adminListPath = '/partner/admins';

export const adminCreateFlow: FlowDefinition<CompanyAdminValues> = {
  name: 'company-admin-create',
  paths: {
    form: '/partner/admins/create',
    confirm: '/partner/admins/confirm',
    complete: '/partner/admins/complete',
  },
  memoryOnly: ['password'],
};

export const adminEditFlow: FlowDefinition<CompanyAdminValues> = {
  name: 'company-admin-edit',
  paths: {
    form: '/partner/admins/edit/',
    confirm: '/partner/admins/edit/confirm/',
    complete: '/partner/admins/edit/complete/',
  },
  memoryOnly: ['password'],
};
