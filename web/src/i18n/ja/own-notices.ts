export const ownNotices = {
  title: 'お知らせ',
  bell_other: 'お知らせ（未読{{count}}件）',
  bellNone: 'お知らせ（未読なし）',
  unread: '未読',
  readAll: 'すべて既読にする',
  emptyTitle: 'お知らせはありません',
  emptyText: 'エクスポートやインポートの完了などをここでお知らせします。30日間表示されます。',
  failed: 'お知らせを読み込めませんでした。',
  older: '以前のお知らせ',
  newer: '新しいお知らせ',
  open: '開く',
  exports: {
    files: 'ファイル一覧のCSV',
    users: 'ユーザー一覧のCSV',
    pushNotifications: 'プッシュ通知一覧のCSV',
    operationLogs: '操作ログのCSV',
    partners: '企業一覧のCSV',
    other: 'CSV',
  },
  exportReady_other: '{{name}}（{{rows}}件）をダウンロードできます。',
  importApplied:
    'ユーザーのインポートが完了しました（追加{{created}}件、変更{{updated}}件、削除{{deleted}}件）。',
  importRefused_other: 'ユーザーのインポートにエラーが{{errors}}件あるため、何も変更していません。',
  importFailed: 'ユーザーのインポートに失敗しました。',
  uploadExpired: '「{{name}}」のアップロードは24時間送信がなかったため終了しました。',
  uploadRefused:
    '「{{name}}」は途中でグループに割り当てられたため、アップロードした内容は反映されませんでした。',
  uploadOutdated: '「{{name}}」は途中で状況が変わったため、アップロードした内容は反映されませんでした。',
  uploadGivenUp: '「{{name}}」のアップロードはほかの管理者により中止されました。',
  licenceEnding_other: '契約の終了まであと{{count}}日以内です（{{date}}まで）。',
  certificateEnding_other:
    'プッシュ通知の証明書「{{name}}」の有効期限まであと{{count}}日以内です（{{date}}まで）。',
  approvalRequested: {
    file: '{{by}}さんが「{{name}}」の変更の承認を依頼しています。',
    settings: '{{by}}さんが承認の無効化の承認を依頼しています。',
  },
  approvalDecided: {
    file: {
      approved: '依頼した「{{name}}」の変更が承認され、確定しました。',
      declined: '依頼した「{{name}}」の変更は却下されました。',
      expired: '依頼した「{{name}}」の変更は7日以内に承認されなかったため、反映されませんでした。',
      stale: '依頼した「{{name}}」の変更は、表示された影響と異なる状態になったため反映されませんでした。',
    },
    settings: {
      approved: '依頼した承認の無効化が承認されました。',
      declined: '依頼した承認の無効化は却下されました。',
      expired: '依頼した承認の無効化は7日以内に承認されなかったため、承認は有効のままです。',
      stale: '設定が依頼したときから変わったため、承認は無効になりませんでした。',
    },
  },
  rolloutHalted:
    '「{{name}}」のバージョン{{version}}の段階配信が停止しました（報告した{{reports}}台のうち{{failures}}台で失敗）。',
  rolloutHaltedByHand: '「{{name}}」のバージョン{{version}}の段階配信が管理者により停止されました。',
  exportTitle: 'エクスポートのダウンロード',
  exportText: '作成から1日が過ぎるとダウンロードできなくなります。',
  download: 'ダウンロード',
  rows_other: '{{rows}}件',
};
