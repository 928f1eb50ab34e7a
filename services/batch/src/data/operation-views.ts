import {
  formatDateTime,
  type Language,
  type operationRoutes,
  operationTargets,
  type RouteReply,
} from '@portal/contracts';
import { codeOf, operationText } from '../domain/operation-text.ts';
import type { OperationRow } from './operation-list.ts';

type OperationView = RouteReply<typeof operationRoutes.listOperationLogs>['operationLogs'][number];

const whoKinds = { account: 'user', admin: 'admin' } as const;

/** An entry of the log as the screen shows it. */
export function operationView(row: OperationRow, language: Language): OperationView {
  const { accountId, accountKind, address, agent, at, eventId, operation, result, role } = row;
  return {
    id: eventId,
    at: formatDateTime(at),
    who: {
      kind: accountKind && whoKinds[accountKind],
      id: accountId,
      name: row.personName,
      login: row.personLogin ?? row.login,
    },
    role,
    address,
    agent,
    operation,
    text: operationText(operation, result, language),
    target: targetOf(row),
    code: codeOf(result),
  };
}

function targetOf({
  targetIds,
  targetKind,
  targetName,
  targetPersonName,
}: OperationRow): OperationView['target'] {
  const kind = operationTargets.find((known) => known === targetKind) ?? null;
  const [id = null, ...others] = targetIds ?? [];
  if (others.length > 0) return { kind, id: null, name: null };
  return { kind, id, name: targetName ?? targetPersonName };
}
