import { fileRoutes } from '@portal/contracts';
import { Answer, type Implementation, implement, type Peers, type Worker } from '@portal/service-kit';
import { uploaderOf } from '../../applications/use-cases/publisher.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { SignedUrls } from '../../signed-urls/http/signed-urls.ts';
import { signRequest } from '../../signed-urls/use-cases/sign-request.ts';
import { abortUpload } from '../use-cases/abort-upload.ts';
import { completeUpload } from '../use-cases/complete-upload.ts';
import { getUpload } from '../use-cases/get-upload.ts';
import { openImport } from '../use-cases/open-import.ts';
import { openParts } from '../use-cases/open-parts.ts';

/** Uploads under way: of the caller's tenant or, for administrators, of applications. */
export function uploadsRoutes(
  deps: Dependencies & { readonly peers: Peers; readonly verifier: Worker },
  urls: SignedUrls,
): Implementation[] {
  return [
    implement(fileRoutes.signParts, async ({ params, body }, { caller, scope }) => {
      const { uploadId } = params;
      const { partNumbers, upload } = await openParts(
        deps,
        uploaderOf(caller, scope),
        uploadId,
        body.partNumbers,
      );
      const parts = partNumbers.map(async (partNumber) => ({
        partNumber,
        signedUrl: await urls.part(caller, uploadId, upload, partNumber),
      }));
      return { parts: await Promise.all(parts) };
    }),

    implement(fileRoutes.getUpload, async ({ params }, { caller, scope }) =>
      getUpload(deps, uploaderOf(caller, scope), params.uploadId),
    ),

    implement(fileRoutes.signRequest, async ({ query }, { caller, scope }) =>
      signRequest(deps, uploaderOf(caller, scope), query),
    ),

    implement(fileRoutes.createUserImport, async ({ params, body }, { caller }) => {
      const { id, upload } = await openImport(deps, { openedBy: caller, partnerId: params.pid }, body);
      return { id, batchProcessId: id, ...(await urls.upload(caller, upload)) };
    }),

    implement(fileRoutes.completeUpload, async ({ params, body }, { caller, scope }) => {
      const waiting = await completeUpload(deps, uploaderOf(caller, scope), params.uploadId, body.parts);
      return waiting ? new Answer(202, waiting.reply) : {};
    }),

    implement(fileRoutes.abortUpload, async ({ params }, { caller, scope }) => {
      await abortUpload(deps, uploaderOf(caller, scope), params.uploadId);
      return {};
    }),
  ];
}
