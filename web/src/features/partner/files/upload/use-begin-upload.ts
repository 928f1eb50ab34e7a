import { queryOptions } from '@portal/api-client/query';
import { deliveryRoutes, fileRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { approvalOf } from '../../../../components/effect/use-sent-for-approval.ts';
import { forgetUpload, rememberUpload, thisTab } from '../../../../components/upload/begun-uploads.ts';
import { uploadOwner } from '../../../../components/upload/begun-uploads-key.ts';
import { callsOf } from '../../../../components/upload/upload-calls.ts';
import type { UploadTask } from '../../../../components/upload/upload-store.ts';
import { useUploads } from '../../../../components/upload/uploads.ts';
import { useApi } from '../../../../lib/api.ts';
import { useMay, usePartnerSession } from '../../../../lib/session/use-session.ts';
import { assignWithRetry } from '../assign/assign-with-retry.ts';
import { useFilesChanged } from '../use-files-changed.ts';

export interface UploadToBegin extends Pick<UploadTask, 'uploadId' | 'fileId' | 'name' | 'bytes'> {
  readonly traceId: string;
  /** Who is to get the file once its bytes are complete; none: nobody yet. */
  readonly groupIds: readonly number[];
  readonly notifyEmail: boolean;
  readonly notifyPush: boolean;
}

/**
 * Begins an upload that goes on from page to page. What is to follow is remembered in this browser until it is done, so that a
 * reload in between loses nothing of it. Groups are assigned when all bytes are there, never before.
 */
export function useBeginUpload(): (upload: UploadToBegin) => Promise<void> {
  const api = useApi();
  const filesChanged = useFilesChanged();
  const uploads = useUploads();
  const queries = useQueryClient();
  const mayAsk = useMay()('getDeliverySettings');
  const session = usePartnerSession();
  const owner = uploadOwner(session);
  const params = { pid: session.partner.id };

  return async ({ bytes, fileId, groupIds, name, notifyEmail, notifyPush, traceId, uploadId }) => {
    const store = await uploads.open();
    rememberUpload(owner, {
      fileId,
      uploadId,
      tab: thisTab(),
      groupIds: [...groupIds],
      notifyEmail,
      notifyPush,
    });

    const assign = async () => {
      const { groups } = await api.call(fileRoutes.getFile, { params: { ...params, id: fileId } });
      // Somebody has decided otherwise meanwhile.
      if (groups.length > 0) return undefined;
      const reply = await assignWithRetry(
        () =>
          api.call(fileRoutes.assignGroups, {
            params: { ...params, id: fileId },
            body: { groupIds: [...groupIds], notifyEmail, notifyPush },
            traceId,
          }),
        () => undefined,
      );
      return approvalOf(reply);
    };

    let sent: number | undefined;
    // Of a large file the bytes are verified later than the answer to its completion comes.
    const requestOf = async () => {
      if (sent !== undefined || groupIds.length > 0 || !mayAsk) return sent;
      const settings = queryOptions(api, deliveryRoutes.getDeliverySettings, { params });
      if (!(await queries.fetchQuery(settings)).approvalRequired) return undefined;
      const completed = { params: { uploadId }, body: { parts: [] }, traceId };
      return approvalOf(await api.call(fileRoutes.completeUpload, completed));
    };

    store.add({
      uploadId,
      fileId,
      name,
      bytes,
      calls: callsOf(api, {
        uploadId,
        traceId,
        onCompleted(reply) {
          sent = approvalOf(reply);
        },
      }),
      requestOf,
      follow: groupIds.length > 0 ? assign : undefined,
      onSettled(outcome) {
        if (outcome !== 'failed') forgetUpload(owner, uploadId);
        void filesChanged();
      },
    });
  };
}
