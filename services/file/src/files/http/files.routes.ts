import { fileRoutes, formatDateTime, formatNullableDateTime } from '@portal/contracts';
import type { RawQueries } from '@portal/database';
import { AppError } from '@portal/kernel';
import {
  Answer,
  type Implementation,
  implement,
  ofPartner,
  type Peers,
  type Seals,
} from '@portal/service-kit';
import { Waiting } from '../../changes/use-cases/conduct.ts';
import { createMake } from '../../changes/use-cases/make-change.ts';
import { listUserFiles } from '../../delivery/use-cases/list-user-files.ts';
import { listUserFilesAhead } from '../../delivery/use-cases/list-user-files-ahead.ts';
import type { Dependencies } from '../../dependencies.ts';
import { inPortalOf, type SignedUrls } from '../../signed-urls/http/signed-urls.ts';
import { isFiltered } from '../data/file-filters.ts';
import { readFileOverview } from '../data/file-overview.ts';
import { type FileView, findFileView, listAllFiles, listFileViews } from '../data/file-views.ts';
import { createFile, createSingleFile } from '../use-cases/create-file.ts';
import { getStorageUse } from '../use-cases/storage-quota.ts';

/** The files of a tenant, for its portal; administrators read them. */
export function filesRoutes(
  deps: Dependencies & { readonly peers: Peers; readonly seals: Seals },
  urls: SignedUrls,
): Implementation[] {
  const { clock, direct, store } = deps;
  const make = createMake(deps);
  return [
    implement(fileRoutes.listFiles, async ({ params, query }, { caller, language }) => {
      const iconOf = async (file: { id: number; iconKey: string | null }) =>
        query.includeIconUrl ? urls.icon(inPortalOf(params.pid, caller), file) : null;
      if (query.all) {
        const files = await store.read(ofPartner(params.pid), (db) =>
          listAllFiles(db, params.pid, query, clock.now()),
        );
        return {
          files: await Promise.all(
            files.map(async (file) => ({ id: file.id, name: file.name, iconSignedUrl: await iconOf(file) })),
          ),
        };
      }
      const list = async (db: RawQueries) =>
        listFileViews(db, params.pid, query, { now: clock.now(), language });
      const tenant = ofPartner(params.pid);
      // Pages without filters are what is asked for most, and quick: their statements need not see the same moment.
      const { files, ...page } = isFiltered(query)
        ? await store.read(tenant, list)
        : await list(direct.statements(tenant));
      return {
        ...page,
        files: await Promise.all(files.map(async (file) => fileRow(file, await iconOf(file)))),
      };
    }),

    implement(fileRoutes.createFile, async ({ params, body }, { caller }) => {
      const { id, version } = await createFile(deps, {
        partnerId: params.pid,
        name: body.name,
        note: body.note ?? '',
        fileName: body.fileName,
        fileSize: body.fileSize,
        fingerprint: body.fingerprint,
        deliverReservationAt: body.deliverReservationAt ?? null,
        creator: await deps.creatorOf(caller),
        versionNote: body.versionNote ?? '',
      });
      return { id, partnerFileId: id, ...(await urls.upload(caller, version)) };
    }),

    implement(fileRoutes.createSingleFile, async ({ params, body }, { caller }) => {
      const { id, version } = await createSingleFile(deps, {
        partnerId: params.pid,
        name: body.name,
        fileSize: body.fileSize,
        fingerprint: body.fingerprint,
        creator: await deps.creatorOf(caller),
      });
      const { signedUrl, uploadId } = await urls.upload(caller, version);
      return { id, partnerFileId: id, uploadId, signedUrl };
    }),

    implement(fileRoutes.getFilesOverview, async ({ params, query }) =>
      store.read(ofPartner(params.pid), (db) =>
        readFileOverview(db, params.pid, { now: clock.now(), timeZone: query.tz }),
      ),
    ),

    implement(fileRoutes.getFile, async ({ params }, { caller, language }) => {
      const file = await store.read(ofPartner(params.pid), (db) =>
        findFileView(db, params.pid, params.id, { now: clock.now(), language }),
      );
      if (!file) throw new AppError('E40405');
      return {
        ...fileRow(file, await urls.icon(inPortalOf(params.pid, caller), file)),
        // The bytes are the tenant's: administrators read about them.
        signedUrl:
          caller.kind === 'admin' || file.objectKey === null
            ? null
            : await urls.file(caller, { ...file, objectKey: file.objectKey }),
      };
    }),

    implement(fileRoutes.updateFile, async ({ params, body }, { caller }) => {
      const version = await make('file', caller, params.id, body);
      if (version instanceof Waiting) return new Answer(202, version.reply);
      return version ? urls.upload(caller, version) : {};
    }),

    implement(fileRoutes.deleteFile, async ({ params, query }, { caller }) => {
      const waiting = await make('deletion', caller, params.id, query);
      return waiting ? new Answer(202, waiting.reply) : {};
    }),

    implement(fileRoutes.reserveUpdate, async ({ params, body }, { caller }) => {
      const version = await make('reservation', caller, params.id, body);
      if (version instanceof Waiting) return new Answer(202, version.reply);
      return version ? urls.upload(caller, version) : {};
    }),

    implement(fileRoutes.cancelUpdate, async ({ params, query }, { caller }) => {
      const waiting = await make('cancel_reservation', caller, params.id, query);
      return waiting ? new Answer(202, waiting.reply) : {};
    }),

    implement(fileRoutes.assignGroups, async ({ params, body }, { caller }) => {
      const waiting = await make('groups', caller, params.id, body);
      return waiting ? new Answer(202, waiting.reply) : {};
    }),

    implement(fileRoutes.getStorageUse, async ({ params }) => {
      const { leaving, quota, used } = await getStorageUse(deps, params.pid);
      return { quotaBytes: quota, usedBytes: used, leavingBytes: leaving };
    }),

    implement(fileRoutes.listUserFiles, async ({ params, query }, { caller, language }) => {
      const player = { partnerId: params.pid, userId: params.id };
      const { files, ...page } = await listUserFiles(deps, player, query, language);
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

    implement(fileRoutes.listUserFilesAhead, async ({ params, query }, { caller, language }) => {
      const player = { partnerId: params.pid, userId: params.id };
      const { files, ...page } = await listUserFilesAhead(deps, player, query, language);
      return {
        ...page,
        files: await Promise.all(
          files.map(async ({ deliverAt, groups, iconKey, updateAt, ...file }) => ({
            ...file,
            iconSignedUrl: await urls.icon(caller, { id: file.id, iconKey }),
            deliverReservationAt: formatNullableDateTime(deliverAt),
            updateReservationAt: formatNullableDateTime(updateAt),
            groups: [...groups],
          })),
        ),
      };
    }),
  ];
}

function fileRow(file: FileView, iconSignedUrl: string | null) {
  const { groups, iconKey: _icon, objectKey: _object, upload, ...fields } = file;
  return {
    ...fields,
    iconSignedUrl,
    groups: [...groups],
    upload: upload && { ...upload, lastPartAt: formatNullableDateTime(upload.lastPartAt) },
    deliverReservationAt: formatNullableDateTime(file.deliverReservationAt),
    updateReservationAt: formatNullableDateTime(file.updateReservationAt),
    // An update comes under the name of its file.
    updateReservationFileName: file.updateReservationAt === null ? null : file.fileName,
    createdAt: formatDateTime(file.createdAt),
    updatedAt: formatDateTime(file.updatedAt),
  };
}
