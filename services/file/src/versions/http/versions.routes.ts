import { deliveryRoutes, formatDateTime, formatNullableDateTime } from '@portal/contracts';
import { type Implementation, implement, type Peers } from '@portal/service-kit';
import { operator } from '@portal/storage';
import {
  publisherOf,
  requireApplication,
  requirePublishing,
  uploaderOf,
} from '../../applications/use-cases/publisher.ts';
import type { Dependencies } from '../../dependencies.ts';
import { inPortalOf, type SignedUrls } from '../../signed-urls/http/signed-urls.ts';
import type { VersionView } from '../data/version-views.ts';
import { getDeliverySettings, updateDeliverySettings } from '../use-cases/delivery-settings.ts';
import { listVersions } from '../use-cases/list-versions.ts';
import { restoreVersion } from '../use-cases/restore-version.ts';

/** The versions of files and of applications. */
export function versionsRoutes(
  deps: Dependencies & { readonly peers: Peers },
  urls: SignedUrls,
): Implementation[] {
  return [
    implement(deliveryRoutes.listVersions, async ({ params, query }, { caller }) => {
      const { file, versions, ...page } = await listVersions(
        deps,
        { partnerId: params.pid },
        params.id,
        query,
      );
      const holder = inPortalOf(params.pid, caller);
      return {
        ...page,
        versions: await Promise.all(
          versions.map(async (version) => {
            const { objectKey } = version;
            const signedUrl = objectKey === null ? null : await urls.file(holder, { ...file, objectKey });
            return versionRow(file.fileName, version, signedUrl);
          }),
        ),
      };
    }),

    implement(deliveryRoutes.restoreVersion, async ({ params, body }, { caller }) => ({
      version: await restoreVersion(
        deps,
        caller,
        { fileId: params.id, version: params.version },
        { at: body.updateReservationAt, note: body.versionNote ?? '' },
      ),
    })),

    implement(deliveryRoutes.listApplicationVersions, async ({ params, query }, { scope }) => {
      const reader = { partnerId: operator, scope };
      const { file, versions, ...page } = await listVersions(deps, reader, params.id, query);
      // The bytes are for the people of tenants: administrators read about them.
      return { ...page, versions: versions.map((version) => versionRow(file.fileName, version, null)) };
    }),

    implement(deliveryRoutes.restoreApplicationVersion, async ({ params, body }, { caller, scope }) => {
      const publisher = publisherOf(caller, scope);
      const { saleType } = await requireApplication(deps, publisher, params.id);
      await requirePublishing(deps, publisher, saleType ?? 0);
      const version = await restoreVersion(
        deps,
        uploaderOf(caller, scope),
        { fileId: params.id, version: params.version },
        { at: undefined, note: body.versionNote ?? '' },
      );
      return { version };
    }),

    implement(deliveryRoutes.getDeliverySettings, async ({ params }) =>
      getDeliverySettings(deps, params.pid),
    ),

    implement(deliveryRoutes.updateDeliverySettings, async ({ params, body }) => {
      await updateDeliverySettings(deps, params.pid, body);
      return {};
    }),
  ];
}

function versionRow(fileName: string, view: VersionView, signedUrl: string | null) {
  const { createdAt, liveFrom, liveUntil, objectKey: _object, ...fields } = view;
  return {
    ...fields,
    fileName,
    createdAt: formatDateTime(createdAt),
    liveFrom: formatDateTime(liveFrom),
    liveUntil: formatNullableDateTime(liveUntil),
    signedUrl,
  };
}
