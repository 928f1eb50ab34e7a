import type { noticeRoutes } from '@portal/contracts';
import type { z } from 'zod';

/** What a notice tells, with its kind. */
export type NoticeContent = {
  [K in noticeRoutes.NoticeKind]: {
    readonly kind: K;
    readonly data: z.output<(typeof noticeRoutes.noticeData)[K]>;
  };
}[noticeRoutes.NoticeKind];

/** The page of the web client that a notice leads to. */
export function linkOf(area: 'admin' | 'partner', { data, kind }: NoticeContent): string {
  switch (kind) {
    case 'export_ready':
      return `/${area}/exports/${data.export}/${data.batchId}`;
    case 'import_ended':
      return `/partner/users/csv-complete?id=${data.batchProcessId}`;
    case 'upload_failed':
      return data.fileDeleted ? filesOf(area) : detailOf(area, data.fileId);
    case 'licence_ending':
      return '/partner/summary';
    case 'certificate_ending':
      return '/partner/certifications';
    case 'approval_requested':
    case 'approval_decided':
      return `/partner/approvals/detail?id=${data.approvalId}`;
    case 'rollout_halted':
      return detailOf(area, data.fileId);
  }
}

/** The files of administrators are applications. */
const filesOf = (area: 'admin' | 'partner') => (area === 'admin' ? '/admin/applications' : '/partner/files');
const detailOf = (area: 'admin' | 'partner', fileId: number) => `${filesOf(area)}/detail?id=${fileId}`;
