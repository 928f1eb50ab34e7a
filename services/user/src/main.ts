import { runService } from '@portal/service-kit/process';
import { userService } from './service.ts';

await runService(userService);
