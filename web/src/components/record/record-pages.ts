// One file for the browser: who sees the list of a record is soon on its other pages.
export { RecordDetailPage } from './record-detail-page.tsx';
export {
  RecordCreateCompletePage,
  RecordCreateConfirmPage,
  RecordCreatePage,
  RecordEditCompletePage,
  RecordEditConfirmPage,
  RecordEditPage,
} from './record-form-pages.tsx';
export { RecordListPage } from './record-list-page.tsx';
