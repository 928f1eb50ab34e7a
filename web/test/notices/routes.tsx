import { recordRoutes } from '../../src/components/record/record-routes.tsx';
import { call, texts } from './beside-the-product.ts';
import { noticePaths } from './notice-paths.ts';

export const noticePages = recordRoutes({
  paths: noticePaths,
  texts: [texts],
  needs: {
    list: call('listNotices'),
    get: call('getNotice'),
    create: call('createNotice'),
    update: call('updateNotice'),
  },
  load: () => import('./notice-record.tsx'),
});
