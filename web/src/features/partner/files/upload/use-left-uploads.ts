import { queryOptions } from '@portal/api-client/query';
import { fileRoutes, limits } from '@portal/contracts';
import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type FileDetail, isResumable } from '../../../../components/files/file.ts';
import {
  type BegunUpload,
  begunUploads,
  forgetUpload,
  thisTab,
} from '../../../../components/upload/begun-uploads.ts';
import { uploadOwner } from '../../../../components/upload/begun-uploads-key.ts';
import type { UploadItem } from '../../../../components/upload/upload-store.ts';
import { useApi } from '../../../../lib/api.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';

/** An upload that was begun in this browser and does not go on by itself. */
export interface LeftUpload {
  readonly begun: BegunUpload;
  readonly file: FileDetail;
}

/** So many are looked after, the newest. */
const most = 10;

type Fate = 'left' | 'elsewhere' | 'over';

/** What is known of it by its file. Another tab may be at it, which nobody can tell until it has been quiet for a while. */
function fateOf({ groupIds, tab, uploadId }: BegunUpload, file: FileDetail, now = Date.now()): Fate {
  const isOwn = tab === thisTab();
  if (file.upload) {
    if (file.upload.uploadId !== uploadId) return 'elsewhere';
    return isOwn || (file.state !== 'draft' && isResumable(file)) ? 'left' : 'elsewhere';
  }
  const lacksGroups = file.uploadStatus === 'complete' && groupIds.length > 0 && file.groups.length === 0;
  if (!lacksGroups) return 'over';
  const isQuiet = now - new Date(file.updatedAt).getTime() >= limits.uploadPause;
  return isOwn || isQuiet ? 'left' : 'elsewhere';
}

/** Those that were begun here, but for those of `items`, which are under way. */
export function useLeftUploads(items: readonly UploadItem[]): readonly LeftUpload[] {
  const api = useApi();
  const session = usePartnerSession();
  const owner = uploadOwner(session);
  const [begun, setBegun] = useState(() => begunUploads(owner));
  useEffect(() => setBegun(begunUploads(owner)), [items, owner]);

  const left = begun
    .filter(({ uploadId }) => !items.some(({ task }) => task.uploadId === uploadId))
    .slice(-most);
  const files = useQueries({
    queries: left.map(({ fileId }) =>
      queryOptions(api, fileRoutes.getFile, { params: { pid: session.partner.id, id: fileId } }),
    ),
  });

  const known = left.map((one, index) => {
    const { data, error } = files[index] ?? {};
    const isGone = error !== null && error !== undefined && 'status' in error && error.status === 404;
    return { begun: one, file: data, fate: isGone ? 'over' : data && fateOf(one, data) };
  });
  const over = known.flatMap(({ begun: { uploadId }, fate }) => (fate === 'over' ? [uploadId] : []));
  useEffect(() => {
    if (over.length === 0) return;
    for (const uploadId of over) forgetUpload(owner, uploadId);
    setBegun(begunUploads(owner));
  }, [over.join(), owner]);

  return known.flatMap(({ begun: one, fate, file }) =>
    fate === 'left' && file ? [{ begun: one, file }] : [],
  );
}
