import { keepExportTasks } from '@portal/csv-export';
import type { EventHandler } from '@portal/service-kit';
import type { NoticeDb } from '../data/db.ts';
import { noticeExport } from '../data/notice-export.ts';
import { partnerSubscriptions } from '../data/partner-repository.ts';

export const subscriptions: readonly EventHandler<NoticeDb>[] = [
  ...partnerSubscriptions<NoticeDb>(),
  ...keepExportTasks([noticeExport.kind]),
];
