import { runService } from '@portal/service-kit/process';
import { pushService } from './service.ts';

await runService(pushService);
