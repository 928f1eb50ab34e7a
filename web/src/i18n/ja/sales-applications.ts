import { applications } from './applications.ts';

/** Applications of the sale type "sale": what differs from the texts of all. */
export const salesApplications = {
  ...applications,
  title: '販売アプリ',
  create: '販売アプリを登録',
  edit: '販売アプリを編集',
  detail: '販売アプリの詳細',
  delete: '販売アプリを削除',
  complete: '販売アプリの保存完了',
  emptyTitle: '販売アプリはまだありません',
  emptyText: '販売アプリを登録すると、配信先の企業が自社のグループに配信できます。',
  deleteTitle: '販売アプリを削除しますか？',
};
