import type { RouteContract } from '../core/route.ts';

/** What kinds of things operations change. A company admin is a user: they are one account. */
export const operationTargets = [
  'admin',
  'application',
  'approval',
  'certification',
  'device',
  'export',
  'file',
  'group',
  'import',
  'notification',
  'partner',
  'session',
  'token',
  'unit',
  'user',
] as const;
export type OperationTarget = (typeof operationTargets)[number];

/** By the part of the path that names what a route is about. The first that is found counts. */
const kinds: readonly (readonly [part: string, kind: OperationTarget])[] = [
  ['/csv/batches', 'export'],
  ['/certifications', 'certification'],
  ['/push_notifications', 'notification'],
  ['/users/csv', 'import'],
  ['/sessions', 'session'],
  ['/sso/tokens', 'token'],
  ['/platforms', 'device'],
  ['/:pid/admins', 'user'],
  ['/:unitId/admins', 'admin'],
  ['/:pid/users', 'user'],
  ['/:pid/groups', 'group'],
  ['/:pid/files', 'file'],
  ['/:pid/approvals', 'approval'],
  ['/:pid/Users', 'user'],
  ['/:pid/Groups', 'group'],
  ['/uploads', 'file'],
  ['/admin/admins', 'admin'],
  ['/admin/applications', 'application'],
  ['/outsourcing/units', 'unit'],
  ['/admin/databases', 'partner'],
  ['/partners', 'partner'],
];

/** The kind of thing that a route changes; `undefined`: the account of its caller, or nothing that has an id. */
export function operationTargetOf({ path }: Pick<RouteContract, 'path'>): OperationTarget | undefined {
  // The sessions of a user are ended as a whole: the operation is about the user.
  if (path.includes('/users/:id/')) return 'user';
  return kinds.find(([part]) => path.includes(part))?.[1];
}
