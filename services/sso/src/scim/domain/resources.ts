import { scimRoutes } from '@portal/contracts';
import type { ProvisionedGroup, ProvisionedUser } from '@portal/contracts/internal';

const { scimSchemas } = scimRoutes;

export type ResourceKind = 'user' | 'group';
export type Resource = { schemas: string[] } & Record<string, unknown>;

/** Where the SCIM service of a tenant is. */
export const scimRootOf = (publicUrl: string, partnerId: number): string =>
  `${publicUrl}/scim/v2/${partnerId}`;

export const userAddress = (root: string, id: number): string => `${root}/Users/${id}`;
export const groupAddress = (root: string, id: number): string => `${root}/Groups/${id}`;

export function userResource(root: string, user: ProvisionedUser): Resource {
  const { active, externalId, id, login, name } = user;
  return {
    schemas: [scimSchemas.user],
    id: String(id),
    ...(externalId !== null && { externalId }),
    userName: login,
    name: { formatted: name },
    displayName: name,
    active,
    meta: metaOf('User', userAddress(root, id), user),
  };
}

export function groupResource(root: string, group: ProvisionedGroup): Resource {
  const { externalId, id, memberIds, name } = group;
  return {
    schemas: [scimSchemas.group],
    id: String(id),
    ...(externalId !== null && { externalId }),
    displayName: name,
    ...(memberIds && {
      members: memberIds.map((userId) => ({
        value: String(userId),
        $ref: userAddress(root, userId),
        type: 'User',
      })),
    }),
    meta: metaOf('Group', groupAddress(root, id), group),
  };
}

function metaOf(
  resourceType: string,
  location: string,
  {
    createdAt,
    updatedAt,
    version,
  }: { readonly createdAt: string; readonly updatedAt: string; readonly version: string },
) {
  return { resourceType, created: createdAt, lastModified: updatedAt, location, version: `"${version}"` };
}
