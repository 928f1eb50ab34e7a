import { runService } from '@portal/service-kit/process';
import { ssoService } from './service.ts';

await runService(ssoService);
