import { fileRoutes } from '@portal/contracts';
import { type Implementation, implement, type Peers } from '@portal/service-kit';
import { abortUpload } from '../use-cases/abort-upload.ts';
import { completeUpload } from '../use-cases/complete-upload.ts';
import type { FileTools } from '../use-cases/file-use-cases.ts';
import { openImport } from '../use-cases/open-import.ts';
import { signRequest } from '../use-cases/sign-request.ts';
import { getUpload, openParts } from '../use-cases/uploads.ts';
import type { Verifier } from '../use-cases/verify-upload.ts';
import type { SignedUrls } from './signed-urls.ts';

/** Uploads under way, of the caller's tenant. */
export function uploadsRoutes(
  tools: FileTools & { readonly peers: Peers; readonly verifier: Verifier },
  urls: SignedUrls,
): Implementation[] {
  return [
    implement(fileRoutes.signParts, async ({ params, body }, { caller }) => {
      const { uploadId } = params;
      const { partNumbers, upload } = await openParts(tools, caller, uploadId, body.partNumbers);
      const parts = partNumbers.map(async (partNumber) => ({
        partNumber,
        signedUrl: await urls.part(caller, uploadId, upload, partNumber),
      }));
      return { parts: await Promise.all(parts) };
    }),

    implement(fileRoutes.getUpload, async ({ params }, { caller }) =>
      getUpload(tools, caller, params.uploadId),
    ),

    implement(fileRoutes.signRequest, async ({ query }, { caller }) => signRequest(tools, caller, query)),

    implement(fileRoutes.createUserImport, async ({ params, body }, { caller }) => {
      const { id, upload } = await openImport(tools, { openedBy: caller, partnerId: params.pid }, body);
      return { id, batchProcessId: id, ...(await urls.upload(caller, upload)) };
    }),

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
