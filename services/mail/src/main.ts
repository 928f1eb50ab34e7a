import { runService } from '@portal/service-kit/process';
import { mailService } from './service.ts';

await runService(mailService);
