import { runService } from '@portal/service-kit/process';
import { batchService } from './service.ts';

await runService(batchService);
