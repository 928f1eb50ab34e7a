export const unitAdmins = {
  title: 'ユニット管理者',
  create: 'ユニット管理者を作成',
  edit: 'ユニット管理者を編集',
  editOf: '「{{name}}」を編集',
  confirm: '内容の確認',
  complete: 'ユニット管理者の保存完了',
  searchFor: 'ID・氏名・メールアドレスで検索',
  id: 'ID',
  emptyTitle: 'このユニットに管理者はいません',
  emptyText: '管理者を作成すると、その人がこのユニットの企業を管理できるようになります。',
  deleteTitle: 'ユニット管理者を削除しますか？',
  deleteOne:
    'ユニット管理者「{{name}}」を削除します。ログイン中の場合は、すぐに利用できなくなります。この操作は取り消せません。',
  deleteMany:
    '次の{{count}}人のユニット管理者を削除します。ログイン中の場合は、すぐに利用できなくなります。この操作は取り消せません。',
  deleted_other: '{{count}}人のユニット管理者を削除しました。',
  created: 'ユニット管理者「{{name}}」を作成しました。',
  updated: 'ユニット管理者「{{name}}」を更新しました。',
  toList: '一覧へ戻る',
  toRecord: '作成した管理者を見る',
  createAnother: '続けて作成',
};
