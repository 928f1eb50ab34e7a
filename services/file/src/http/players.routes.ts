import { fileRoutes, formatDateTime } from '@portal/contracts';
import { type Implementation, implement, type TenantCaller } from '@portal/service-kit';
import type { DeliveredView } from '../data/delivered-views.ts';
import type { FileTools } from '../use-cases/file-use-cases.ts';
import { getDelivered } from '../use-cases/get-delivered.ts';
import { listDelivered } from '../use-cases/list-delivered.ts';
import type { SignedUrls } from './signed-urls.ts';

/** What is delivered, for the players of a tenant's users. */
export function playersRoutes(tools: FileTools, urls: SignedUrls): Implementation[] {
  async function deliveredFile(caller: TenantCaller, file: DeliveredView) {
    const { iconKey: _icon, objectKey: _object, ...fields } = file;
    return {
      ...fields,
      iconSignedUrl: await urls.icon(caller, file),
      deliveredAt: formatDateTime(file.deliveredAt),
      updatedAt: formatDateTime(file.updatedAt),
    };
  }

  return [
    implement(fileRoutes.listDelivered, async ({ query }, { caller }) => {
      const { page, perPage, since } = query;
      const listed = listDelivered(tools, playerOf(caller), { page, perPage, since });
      const { files, removedIds, ...rest } = listed instanceof Promise ? await listed : listed;
      return {
        ...rest,
        files:
          files.length === 0 ? [] : await Promise.all(files.map(async (file) => deliveredFile(caller, file))),
        removedIds: [...removedIds],
      };
    }),

    implement(fileRoutes.getDelivered, async ({ params }, { caller }) => {
      const file = await getDelivered(tools, playerOf(caller), params.id);
      return { ...(await deliveredFile(caller, file)), signedUrl: await urls.file(caller, file) };
    }),
  ];
}

function playerOf({ accountId, partnerId }: TenantCaller) {
  return { partnerId, userId: accountId };
}
