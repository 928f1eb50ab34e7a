import { fileRoutes } from '@portal/contracts';
import { type Implementation, implement, type Peers, type Worker } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import type { SignedUrls } from '../../signed-urls/http/signed-urls.ts';
import { signRequest } from '../../signed-urls/use-cases/sign-request.ts';
import { abortUpload } from '../use-cases/abort-upload.ts';
import { completeUpload } from '../use-cases/complete-upload.ts';
import { getUpload } from '../use-cases/get-upload.ts';
import { openImport } from '../use-cases/open-import.ts';
import { openParts } from '../use-cases/open-parts.ts';

/** Uploads under way, of the caller's tenant. */
export function uploadsRoutes(
  deps: Dependencies & { readonly peers: Peers; readonly verifier: Worker },
  urls: SignedUrls,
): Implementation[] {
  return [
    implement(fileRoutes.signParts, async ({ params, body }, { caller }) => {
      const { uploadId } = params;
      const { partNumbers, upload } = await openParts(deps, caller, uploadId, body.partNumbers);
      const parts = partNumbers.map(async (partNumber) => ({
        partNumber,
        signedUrl: await urls.part(caller, uploadId, upload, partNumber),
      }));
      return { parts: await Promise.all(parts) };
    }),

    implement(fileRoutes.getUpload, async ({ params }, { caller }) =>
      getUpload(deps, caller, params.uploadId),
    ),

    implement(fileRoutes.signRequest, async ({ query }, { caller }) => signRequest(deps, caller, query)),

    implement(fileRoutes.createUserImport, async ({ params, body }, { caller }) => {
      const { id, upload } = await openImport(deps, { openedBy: caller, partnerId: params.pid }, body);
      return { id, batchProcessId: id, ...(await urls.upload(caller, upload)) };
    }),

    implement(fileRoutes.completeUpload, async ({ params, body }, { caller }) => {
      await completeUpload(deps, caller, params.uploadId, body.parts);
      return {};
    }),

    implement(fileRoutes.abortUpload, async ({ params }, { caller }) => {
      await abortUpload(deps, caller, params.uploadId);
      return {};
    }),
  ];
}
