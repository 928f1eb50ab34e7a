import { runService } from '@portal/service-kit/process';
import { identityService } from './service.ts';

await runService(identityService);
