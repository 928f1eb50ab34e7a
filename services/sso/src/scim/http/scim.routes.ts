import { scimRoutes } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { Answer, type Implementation, implement, type Peers } from '@portal/service-kit';
import { resourceTypes, schemas, serviceProviderConfig } from '../domain/discovery.ts';
import { type ListAsked, listResponse } from '../domain/list.ts';
import {
  groupAddress,
  groupResource,
  type Resource,
  scimRootOf,
  userAddress,
  userResource,
} from '../domain/resources.ts';
import { isShown, type Shown, show, shownBy } from '../domain/selection.ts';
import {
  createGroup,
  createUser,
  deleteGroup,
  deleteUser,
  findGroup,
  findUser,
  patchGroup,
  patchUser,
  replaceGroup,
  replaceUser,
} from '../use-cases/change-resources.ts';
import { listGroups, listUsers, searchAll } from '../use-cases/list-resources.ts';
import type { Tenant } from '../use-cases/tenant.ts';

/** SCIM 2.0 (RFC 7644): the calls of a tenant's identity provider, which the user service answers. */
export function scimRoutesOf({
  peers,
  publicUrl,
}: {
  readonly peers: Peers;
  readonly publicUrl: string;
}): Implementation[] {
  const tenantOf = ({ pid }: { readonly pid: number }): Tenant => ({
    peers,
    partnerId: pid,
    root: scimRootOf(publicUrl, pid),
  });
  const rootOf = ({ pid }: { readonly pid: number }) => scimRootOf(publicUrl, pid);

  return [
    implement(scimRoutes.getScimConfig, async ({ params }) => serviceProviderConfig(rootOf(params))),

    implement(scimRoutes.listScimResourceTypes, async ({ params, query }) =>
      all(resourceTypes(rootOf(params)), query),
    ),

    implement(scimRoutes.getScimResourceType, async ({ params }) =>
      named(resourceTypes(rootOf(params)), params.name),
    ),

    implement(scimRoutes.listScimSchemas, async ({ params, query }) => all(schemas(rootOf(params)), query)),

    implement(scimRoutes.getScimSchema, async ({ params }) => named(schemas(rootOf(params)), params.name)),

    implement(scimRoutes.searchScim, async ({ params, body }) =>
      searchAll(tenantOf(params), body, shownBy(body)),
    ),

    implement(scimRoutes.listScimUsers, async ({ params, query }) =>
      listUsers(tenantOf(params), query, shownBy(query)),
    ),

    implement(scimRoutes.searchScimUsers, async ({ params, body }) =>
      listUsers(tenantOf(params), body, shownBy(body)),
    ),

    implement(scimRoutes.createScimUser, async ({ params, query, body }) => {
      const tenant = tenantOf(params);
      const user = await createUser(tenant, body);
      return new Answer(201, show(userResource(tenant.root, user), shownBy(query)), {
        version: user.version,
        location: userAddress(tenant.root, user.id),
      });
    }),

    implement(scimRoutes.getScimUser, async ({ params, query }) => {
      const tenant = tenantOf(params);
      return userAnswer(tenant, await findUser(tenant, params.id), shownBy(query));
    }),

    implement(scimRoutes.replaceScimUser, async ({ params, query, body }, call) => {
      const tenant = tenantOf(params);
      return userAnswer(tenant, await replaceUser(tenant, params.id, body, call), shownBy(query));
    }),

    implement(scimRoutes.patchScimUser, async ({ params, query, body }, call) => {
      const tenant = tenantOf(params);
      return userAnswer(tenant, await patchUser(tenant, params.id, body, call), shownBy(query));
    }),

    implement(scimRoutes.deleteScimUser, async ({ params }, call) => {
      await deleteUser(tenantOf(params), params.id, call);
      return new Answer(204, undefined);
    }),

    implement(scimRoutes.listScimGroups, async ({ params, query }) =>
      listGroups(tenantOf(params), query, shownBy(query)),
    ),

    implement(scimRoutes.searchScimGroups, async ({ params, body }) =>
      listGroups(tenantOf(params), body, shownBy(body)),
    ),

    implement(scimRoutes.createScimGroup, async ({ params, query, body }) => {
      const [tenant, shown] = [tenantOf(params), shownBy(query)];
      const group = await createGroup(tenant, body, isShown('members', shown));
      return new Answer(201, show(groupResource(tenant.root, group), shown), {
        version: group.version,
        location: groupAddress(tenant.root, group.id),
      });
    }),

    implement(scimRoutes.getScimGroup, async ({ params, query }) => {
      const [tenant, shown] = [tenantOf(params), shownBy(query)];
      return groupAnswer(tenant, await findGroup(tenant, params.id, isShown('members', shown)), shown);
    }),

    implement(scimRoutes.replaceScimGroup, async ({ params, query, body }, condition) => {
      const [tenant, shown] = [tenantOf(params), shownBy(query)];
      const withMembers = isShown('members', shown);
      const group = await replaceGroup(tenant, params.id, body, { condition, withMembers });
      return groupAnswer(tenant, group, shown);
    }),

    implement(scimRoutes.patchScimGroup, async ({ params, query, body }, condition) => {
      const [tenant, shown] = [tenantOf(params), shownBy(query)];
      // Nobody reads a group of a hundred thousand to learn that one has come.
      const isAsked = shown.only !== undefined;
      const withMembers = isAsked && isShown('members', shown);
      const group = await patchGroup(tenant, params.id, body, { condition, withMembers });
      return isAsked
        ? groupAnswer(tenant, group, shown)
        : new Answer(204, undefined, { version: group.version });
    }),

    implement(scimRoutes.deleteScimGroup, async ({ params }, call) => {
      await deleteGroup(tenantOf(params), params.id, call);
      return new Answer(204, undefined);
    }),
  ];
}

const userAnswer = ({ root }: Tenant, user: Parameters<typeof userResource>[1], shown: Shown) =>
  new Answer(200, show(userResource(root, user), shown), { version: user.version });

const groupAnswer = ({ root }: Tenant, group: Parameters<typeof groupResource>[1], shown: Shown) =>
  new Answer(200, show(groupResource(root, group), shown), { version: group.version });

/** What the service says of itself is not filtered (RFC 7644, 4). */
function all(resources: readonly Resource[], { filter }: ListAsked) {
  if (filter !== undefined) throw new AppError('E40301');
  return listResponse({ skip: 0 }, resources.length, resources);
}

function named(resources: readonly Resource[], name: string): Resource {
  const found = resources.find(({ id }) => typeof id === 'string' && id.toLowerCase() === name.toLowerCase());
  if (!found) throw new AppError('E40401');
  return found;
}
