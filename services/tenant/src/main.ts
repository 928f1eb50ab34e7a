import { runService } from '@portal/service-kit/process';
import { tenantService } from './service.ts';

await runService(tenantService);
