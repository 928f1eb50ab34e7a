import { fileRoutes } from '@portal/contracts';
import { type Implementation, implement, type Peers } from '@portal/service-kit';
import { abortUpload } from '../use-cases/abort-upload.ts';
import { completeUpload } from '../use-cases/complete-upload.ts';
import type { FileTools } from '../use-cases/file-use-cases.ts';
import { openImport } from '../use-cases/open-import.ts';
import { signRequest } from '../use-cases/sign-request.ts';
import { getUpload, signParts } from '../use-cases/uploads.ts';
import type { Verifier } from '../use-cases/verify-upload.ts';

/** Uploads under way, of the caller's tenant. */
export function uploadsRoutes(
  tools: FileTools & { readonly peers: Peers; readonly verifier: Verifier },
): Implementation[] {
  return [
    implement(fileRoutes.signParts, async ({ params, body }, { caller }) => ({
      parts: await signParts(tools, caller, params.uploadId, body.partNumbers),
    })),

    implement(fileRoutes.getUpload, async ({ params }, { caller }) =>
      getUpload(tools, caller, params.uploadId),
    ),

    implement(fileRoutes.signRequest, async ({ query }, { caller }) => signRequest(tools, caller, query)),

    implement(fileRoutes.createUserImport, async ({ params, body }, { caller }) =>
      openImport(tools, { openedBy: caller, partnerId: params.pid }, body),
    ),

    implement(fileRoutes.completeUpload, async ({ params, body }, { caller }) => {
      await completeUpload(tools, caller, params.uploadId, body.parts);
      return {};
    }),

    implement(fileRoutes.abortUpload, async ({ params }, { caller }) => {
      await abortUpload(tools, caller, params.uploadId);
      return {};
    }),
  ];
}
