import { deliveryRoutes, formatDateTime, formatNullableDateTime } from '@portal/contracts';
import { Answer, type Implementation, implement, type Peers, type Seals } from '@portal/service-kit';
import { operator } from '@portal/storage';
import {
  publisherOf,
  requireApplication,
  requirePublishing,
  uploaderOf,
} from '../../applications/use-cases/publisher.ts';
import { made, Waiting } from '../../changes/use-cases/conduct.ts';
import { createMake } from '../../changes/use-cases/make-change.ts';
import type { Dependencies } from '../../dependencies.ts';
import { rolloutReply } from '../../rollouts/http/rollouts.routes.ts';
import { inPortalOf, type SignedUrls } from '../../signed-urls/http/signed-urls.ts';
import type { VersionView } from '../data/version-views.ts';
import { getDeliverySettings, updateDeliverySettings } from '../use-cases/delivery-settings.ts';
import { listVersions } from '../use-cases/list-versions.ts';
import { restoreVersion } from '../use-cases/restore-version.ts';

/** The versions of files and of applications. */
export function versionsRoutes(
  deps: Dependencies & { readonly peers: Peers; readonly seals: Seals },
  urls: SignedUrls,
): Implementation[] {
  const make = createMake(deps);
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

    implement(deliveryRoutes.restoreVersion, async ({ params, body }, { caller }) => {
      const version = await make('restore', caller, params.id, { ...body, version: params.version });
      return version instanceof Waiting ? new Answer(202, version.reply) : { version };
    }),

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
        { at: undefined, note: body.versionNote ?? '', rollout: body.rollout },
      );
      return { version: made(version) };
    }),

    implement(deliveryRoutes.getDeliverySettings, async ({ params }) =>
      getDeliverySettings(deps, params.pid),
    ),

    implement(deliveryRoutes.updateDeliverySettings, async ({ body }, { caller }) => {
      const waiting = await updateDeliverySettings(deps, caller, body);
      return waiting ? new Answer(202, waiting.reply) : {};
    }),
  ];
}

function versionRow(fileName: string, view: VersionView, signedUrl: string | null) {
  const { createdAt, liveFrom, liveUntil, objectKey: _object, rollout, ...fields } = view;
  return {
    ...fields,
    fileName,
    createdAt: formatDateTime(createdAt),
    liveFrom: formatDateTime(liveFrom),
    liveUntil: formatNullableDateTime(liveUntil),
    rollout: rollout && rolloutReply(rollout),
    signedUrl,
  };
}
