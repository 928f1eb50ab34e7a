import { approvalRoutes, formatDateTime, formatNullableDateTime } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { type Implementation, implement, ofPartner } from '@portal/service-kit';
import type { ChangeDependencies } from '../../changes/use-cases/run-change.ts';
import { type Approval, findApproval, listApprovals, stateAt } from '../data/approval-repository.ts';
import { approve, decline } from '../use-cases/decide.ts';

/** Changes that wait for another admin. */
export function approvalsRoutes(deps: ChangeDependencies): Implementation[] {
  const { clock, store } = deps;
  return [
    implement(approvalRoutes.listApprovals, async ({ params, query }) => {
      const now = clock.now();
      const { approvals, ...page } = await store.read(ofPartner(params.pid), async (db) =>
        listApprovals(db, params.pid, query, now),
      );
      return { ...page, approvals: approvals.map((approval) => approvalRow(approval, now)) };
    }),

    implement(approvalRoutes.getApproval, async ({ params }) => {
      const approval = await store.read(ofPartner(params.pid), async (db) =>
        findApproval(db, params.pid, params.id),
      );
      if (!approval) throw new AppError('E40401');
      return approvalRow(approval, clock.now());
    }),

    implement(approvalRoutes.approveChange, async ({ params, body }, { caller }) => {
      await approve(deps, caller, params.id, body.comment ?? null);
      return {};
    }),

    implement(approvalRoutes.declineChange, async ({ params, body }, { caller }) => {
      await decline(deps, caller, params.id, body.comment);
      return {};
    }),
  ];
}

function approvalRow(approval: Approval, now: Date) {
  const { at, body, comment, decidedAt, decidedBy, effect, expiresAt, fileId, id, what } = approval;
  return {
    id,
    what,
    state: stateAt(approval, now),
    file: fileId === null ? null : { id: fileId, name: approval.fileName ?? '' },
    body: Object(body) as Record<string, unknown>,
    preview: effect,
    by: { id: approval.askedBy, name: approval.askedByName },
    at: formatDateTime(at),
    expiresAt: formatDateTime(expiresAt),
    decidedBy: decidedBy === null ? null : { id: decidedBy, name: approval.decidedByName ?? '' },
    decidedAt: formatNullableDateTime(decidedAt),
    comment,
  };
}
