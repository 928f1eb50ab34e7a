import { runService } from '@portal/service-kit/process';
import { fileService } from './service.ts';

await runService(fileService);
