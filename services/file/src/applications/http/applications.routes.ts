import { applicationRoutes, formatDateTime, formatNullableDateTime } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { type Implementation, implement, type Peers } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { newVersionOf, noteOf } from '../../files/use-cases/update-file.ts';
import type { SignedUrls } from '../../signed-urls/http/signed-urls.ts';
import { type ApplicationView, findApplication, listApplications } from '../data/application-views.ts';
import { destinationsOf } from '../domain/destinations.ts';
import { createApplication } from '../use-cases/create-application.ts';
import { deleteApplication } from '../use-cases/delete-application.ts';
import { publisherOf } from '../use-cases/publisher.ts';
import { updateApplication } from '../use-cases/update-application.ts';

/** Applications, for the operator's side. */
export function applicationsRoutes(
  deps: Dependencies & { readonly peers: Peers },
  urls: SignedUrls,
): Implementation[] {
  const { store } = deps;
  return [
    implement(applicationRoutes.listApplications, async ({ query }, { scope }) => {
      const { applications, ...page } = await store.read(scope, (db) => listApplications(db, query));
      return { ...page, applications: applications.map(applicationRow) };
    }),

    implement(applicationRoutes.createApplication, async ({ body }, { caller, scope }) => {
      const { allDeliverFlag, fileName, fileSize, fingerprint, name, partnerIds, saleType, versionNote } =
        body;
      const { id, version } = await createApplication(deps, publisherOf(caller, scope), {
        name,
        saleType,
        fileName,
        fileSize,
        fingerprint,
        destinations: destinationsOf({ allDeliverFlag, partnerIds }),
        versionNote: versionNote ?? '',
      });
      return { id, ...(await urls.upload(caller, version)) };
    }),

    implement(applicationRoutes.getApplication, async ({ params }, { scope }) => {
      const application = await store.read(scope, (db) => findApplication(db, params.id));
      if (!application) throw new AppError('E40405');
      return applicationRow(application);
    }),

    implement(applicationRoutes.updateApplication, async ({ params, body }, { caller, scope }) => {
      const { allDeliverFlag, name, partnerIds, saleType } = body;
      const version = await updateApplication(deps, publisherOf(caller, scope), params.id, {
        name,
        saleType,
        allDeliverFlag,
        partnerIds,
        newVersion: newVersionOf(body),
        versionNote: noteOf(body),
        rollout: body.rollout,
      });
      return version ? urls.upload(caller, version) : {};
    }),

    implement(applicationRoutes.deleteApplication, async ({ params }, { caller, scope }) => {
      await deleteApplication(deps, publisherOf(caller, scope), params.id);
      return {};
    }),
  ];
}

function applicationRow({ createdAt, updatedAt, upload, ...fields }: ApplicationView) {
  return {
    ...fields,
    upload: upload && { ...upload, lastPartAt: formatNullableDateTime(upload.lastPartAt) },
    createdAt: formatDateTime(createdAt),
    updatedAt: formatDateTime(updatedAt),
  };
}
