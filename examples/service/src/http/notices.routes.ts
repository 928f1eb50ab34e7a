import { AppError } from '@portal/kernel';
import { Answer, type Implementation, implement, ofPartner } from '@portal/service-kit';
import { noticeRoutes } from '../../contracts/index.ts';
import { listNotices, noticeDetail, noticeDocument } from '../data/notice-views.ts';
import type { Dependencies } from '../dependencies.ts';
import { createNotice } from '../use-cases/create-notice.ts';
import { deleteNotice } from '../use-cases/delete-notice.ts';
import { exportNotices } from '../use-cases/export-notices.ts';
import { importNotices } from '../use-cases/import-notices.ts';
import { replaceDocument } from '../use-cases/replace-document.ts';
import { requestPublication } from '../use-cases/request-publication.ts';
import { updateNotice } from '../use-cases/update-notice.ts';

const keyOf = ({ id, pid }: { id: number; pid: number }) => ({ partnerId: pid, id });

export function noticeRoutesOf(deps: Dependencies): Implementation[] {
  const { store } = deps;
  return [
    implement(noticeRoutes.listNotices, async ({ params, query }) =>
      store.read(ofPartner(params.pid), (db) => listNotices(db, params.pid, query)),
    ),

    implement(noticeRoutes.createNotice, async ({ body, params }) => createNotice(deps, params.pid, body)),

    implement(noticeRoutes.getNotice, async ({ params }) => {
      const { id, pid } = params;
      const notice = await store.read(ofPartner(pid), (db) => noticeDetail(db, pid, id));
      if (!notice) throw new AppError('E40401');
      return notice;
    }),

    implement(noticeRoutes.updateNotice, async ({ body, params }) => {
      await updateNotice(deps, keyOf(params), body);
      return {};
    }),

    implement(noticeRoutes.deleteNotice, async ({ params }) => {
      await deleteNotice(deps, keyOf(params));
      return {};
    }),

    implement(noticeRoutes.getNoticeDocument, async ({ params }) => {
      const { id, pid } = params;
      const document = await store.read(ofPartner(pid), (db) => noticeDocument(db, pid, id));
      if (!document) throw new AppError('E40401');
      return new Answer(200, document.value, { version: document.version });
    }),

    implement(noticeRoutes.putNoticeDocument, async ({ body, params }, { checkVersion }) => {
      const { isFirst, version } = await replaceDocument(deps, keyOf(params), body, checkVersion);
      return new Answer(isFirst ? 201 : 200, body, { version });
    }),

    implement(noticeRoutes.importNotices, async ({ body, params }) => ({
      createdCount: await importNotices(deps, params.pid, body.content),
    })),

    implement(noticeRoutes.exportNotices, async ({ params }) => ({
      content: exportNotices(deps, params.pid),
      fileName: 'notices.ndjson',
    })),

    implement(noticeRoutes.publishNotice, async ({ params }) =>
      (await requestPublication(deps, keyOf(params))) ? {} : new Answer(204, undefined),
    ),
  ];
}
