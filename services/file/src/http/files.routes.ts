import { fileRoutes, formatDateTime, formatNullableDateTime } from '@portal/contracts';
import { type Implementation, implement, type Peers } from '@portal/service-kit';
import type { FileView } from '../data/file-views.ts';
import { assignGroups } from '../use-cases/assign-groups.ts';
import { cancelUpdate } from '../use-cases/cancel-update.ts';
import { createFile, createSingleFile } from '../use-cases/create-file.ts';
import { deleteFile } from '../use-cases/delete-file.ts';
import type { FileTools } from '../use-cases/file-use-cases.ts';
import { listUserFiles } from '../use-cases/list-user-files.ts';
import { getFile, listEveryFile, listFiles } from '../use-cases/read-files.ts';
import { reserveUpdate } from '../use-cases/reserve-update.ts';
import { getStorageUse } from '../use-cases/storage-quota.ts';
import { newVersionOf, updateFile } from '../use-cases/update-file.ts';
import type { SignedUrls } from './signed-urls.ts';

/** The files of a tenant, for its portal. */
export function filesRoutes(
  tools: FileTools & { readonly peers: Peers },
  urls: SignedUrls,
): Implementation[] {
  return [
    implement(fileRoutes.listFiles, async ({ params, query }, { caller, language }) => {
      const iconOf = async (file: { id: number; iconKey: string | null }) =>
        query.includeIconUrl ? urls.icon(caller, file) : null;
      if (query.all) {
        const files = await listEveryFile(tools, params.pid, query);
        return {
          files: await Promise.all(
            files.map(async (file) => ({ id: file.id, name: file.name, iconSignedUrl: await iconOf(file) })),
          ),
        };
      }
      const { files, ...page } = await listFiles(tools, params.pid, query, language);
      return {
        ...page,
        files: await Promise.all(files.map(async (file) => fileRow(file, await iconOf(file)))),
      };
    }),

    implement(fileRoutes.createFile, async ({ params, body }, { caller }) => {
      const { id, version } = await createFile(tools, {
        partnerId: params.pid,
        name: body.name,
        note: body.note ?? '',
        fileName: body.fileName,
        fileSize: body.fileSize,
        deliverReservationAt: body.deliverReservationAt ?? null,
      });
      return { id, partnerFileId: id, ...(await urls.upload(caller, version)) };
    }),

    implement(fileRoutes.createSingleFile, async ({ params, body }, { caller }) => {
      const { id, version } = await createSingleFile(tools, {
        partnerId: params.pid,
        name: body.name,
        fileSize: body.fileSize,
      });
      const { signedUrl, uploadId } = await urls.upload(caller, version);
      return { id, partnerFileId: id, uploadId, signedUrl };
    }),

    implement(fileRoutes.getFile, async ({ params }, { caller, language }) => {
      const file = await getFile(tools, params.pid, params.id, language);
      return {
        ...fileRow(file, await urls.icon(caller, file)),
        signedUrl:
          file.objectKey === null ? null : await urls.file(caller, { ...file, objectKey: file.objectKey }),
      };
    }),

    implement(fileRoutes.updateFile, async ({ params, body }, { caller }) => {
      const version = await updateFile(tools, caller, params.id, {
        name: body.name,
        note: body.note === null ? '' : body.note,
        deliverReservationAt: body.deliverReservationAt,
        newVersion: newVersionOf(body),
      });
      return version ? urls.upload(caller, version) : {};
    }),

    implement(fileRoutes.deleteFile, async ({ params }, { caller }) => {
      await deleteFile(tools, caller, params.id);
      return {};
    }),

    implement(fileRoutes.reserveUpdate, async ({ params, body }, { caller }) => {
      const version = await reserveUpdate(tools, caller, params.id, {
        at: body.updateReservationAt,
        newVersion: newVersionOf(body),
      });
      return version ? urls.upload(caller, version) : {};
    }),

    implement(fileRoutes.cancelUpdate, async ({ params }, { caller }) => {
      await cancelUpdate(tools, caller, params.id);
      return {};
    }),

    implement(fileRoutes.assignGroups, async ({ params, body }, { caller }) => {
      await assignGroups(tools, caller, params.id, body);
      return {};
    }),

    implement(fileRoutes.getStorageUse, async ({ params }) => {
      const { leaving, quota, used } = await getStorageUse(tools, params.pid);
      return { quotaBytes: quota, usedBytes: used, leavingBytes: leaving };
    }),

    implement(fileRoutes.listUserFiles, async ({ params, query }, { caller, language }) => {
      const player = { partnerId: params.pid, userId: params.id };
      const { files, ...page } = await listUserFiles(tools, player, query, language);
      return {
        ...page,
        files: await Promise.all(
          files.map(async ({ fileName, fileSize, groups, iconKey, id, name, version }) => ({
            id,
            name,
            fileName,
            fileSize,
            version,
            iconSignedUrl: await urls.icon(caller, { id, iconKey }),
            groups: groups.map((group) => ({
              id: group.id,
              name: group.name,
              since: formatDateTime(group.since),
            })),
          })),
        ),
      };
    }),
  ];
}

function fileRow(file: FileView, iconSignedUrl: string | null) {
  const { groups, iconKey: _icon, objectKey: _object, ...fields } = file;
  return {
    ...fields,
    iconSignedUrl,
    groups: [...groups],
    deliverReservationAt: formatNullableDateTime(file.deliverReservationAt),
    updateReservationAt: formatNullableDateTime(file.updateReservationAt),
    // An update comes under the name of its file.
    updateReservationFileName: file.updateReservationAt === null ? null : file.fileName,
    createdAt: formatDateTime(file.createdAt),
    updatedAt: formatDateTime(file.updatedAt),
  };
}
