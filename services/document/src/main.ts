import { runService } from '@portal/service-kit/process';
import { documentService } from './service.ts';

await runService(documentService);
