export const platformAdmins = {
  title: 'プラットフォーム管理者',
  create: 'プラットフォーム管理者を作成',
  edit: 'プラットフォーム管理者を編集',
  editOf: '「{{name}}」を編集',
  confirm: '内容の確認',
  complete: 'プラットフォーム管理者の保存完了',
  searchFor: 'ID・氏名・メールアドレスで検索',
  id: 'ID',
  emptyTitle: 'プラットフォーム管理者はいません',
  emptyText: 'プラットフォーム管理者は、すべてのユニットと企業を管理できます。',
  deleteTitle: 'プラットフォーム管理者を削除しますか？',
  deleteOne:
    'プラットフォーム管理者「{{name}}」を削除します。ログイン中の場合は、すぐに利用できなくなります。この操作は取り消せません。',
  deleteMany:
    '次の{{count}}人のプラットフォーム管理者を削除します。ログイン中の場合は、すぐに利用できなくなります。この操作は取り消せません。',
  deleted_other: '{{count}}人のプラットフォーム管理者を削除しました。',
  created: 'プラットフォーム管理者「{{name}}」を作成しました。',
  updated: 'プラットフォーム管理者「{{name}}」を更新しました。',
  toList: '一覧へ戻る',
  toRecord: '作成した管理者を見る',
  createAnother: '続けて作成',
};
