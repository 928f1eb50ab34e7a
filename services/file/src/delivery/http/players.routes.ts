import { fileRoutes, formatDateTime } from '@portal/contracts';
import { type Implementation, implement, type TenantCaller } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import type { ReceiptIntake } from '../../receipts/use-cases/receipt-intake.ts';
import type { SignedUrls } from '../../signed-urls/http/signed-urls.ts';
import type { DeliveredView } from '../data/delivered-views.ts';
import { downloadAfter } from '../domain/download-after.ts';
import { getDelivered } from '../use-cases/get-delivered.ts';
import { listDelivered } from '../use-cases/list-delivered.ts';

/** What is delivered, for the players of a tenant's users. */
export function playersRoutes(
  deps: Dependencies & { readonly downloadsPerSecond: number; readonly intake: ReceiptIntake },
  urls: SignedUrls,
): Implementation[] {
  async function deliveredFile(caller: TenantCaller, file: DeliveredView) {
    const { iconKey: _icon, newSince, objectKey: _object, reachedDevices, ...fields } = file;
    const { accountId, platformUuid } = caller;
    return {
      ...fields,
      iconSignedUrl: await urls.icon(caller, file),
      deliveredAt: formatDateTime(file.deliveredAt),
      updatedAt: formatDateTime(file.updatedAt),
      downloadAfter: downloadAfter(
        { fileId: file.id, newSince, reachedDevices, version: file.version },
        platformUuid ?? String(accountId),
        { now: deps.clock.now(), perSecond: deps.downloadsPerSecond },
      ),
    };
  }

  /** Before the answer leaves: what it holds was seen then. */
  async function note(caller: TenantCaller, files: readonly DeliveredView[]): Promise<void> {
    const { accountId: userId, partnerId, platformUuid: uuid } = caller;
    if (uuid === null || files.length === 0) return;
    const shown = files.map(({ id: fileId, version }) => ({ fileId, version }));
    await deps.intake.show(partnerId, { userId, uuid, files: shown });
  }

  return [
    implement(fileRoutes.listDelivered, async ({ query }, { caller }) => {
      const { page, perPage, since } = query;
      const listed = listDelivered(deps, playerOf(caller), { page, perPage, since });
      const { files, removedIds, ...rest } = listed instanceof Promise ? await listed : listed;
      await note(caller, files);
      return {
        ...rest,
        files:
          files.length === 0 ? [] : await Promise.all(files.map(async (file) => deliveredFile(caller, file))),
        removedIds: [...removedIds],
      };
    }),

    implement(fileRoutes.getDelivered, async ({ params }, { caller }) => {
      const file = await getDelivered(deps, playerOf(caller), params.id);
      await note(caller, [file]);
      return { ...(await deliveredFile(caller, file)), signedUrl: await urls.file(caller, file) };
    }),
  ];
}

function playerOf({ accountId, partnerId, platformUuid }: TenantCaller) {
  return { partnerId, userId: accountId, uuid: platformUuid };
}
