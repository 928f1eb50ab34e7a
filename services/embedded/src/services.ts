import { batchService } from '@portal/batch-service';
import { documentService } from '@portal/document-service';
import { fileService } from '@portal/file-service';
import { identityService } from '@portal/identity-service';
import { mailService } from '@portal/mail-service';
import { pushService } from '@portal/push-service';
import type { ServiceDefinition } from '@portal/service-kit';
import { ssoService } from '@portal/sso-service';
import { tenantService } from '@portal/tenant-service';
import { userService } from '@portal/user-service';

/** All that have a database. */
export const services: readonly ServiceDefinition[] = [
  tenantService,
  identityService,
  userService,
  fileService,
  batchService,
  mailService,
  pushService,
  ssoService,
  documentService,
];
