import { editLink } from '../lib/edit-link.ts';

export const approvalsPath = '/partner/approvals';
const approvalPath = '/partner/approvals/detail/';

export const approvalLink = (id: number, partnerName: string) => editLink(approvalPath, id, partnerName);
