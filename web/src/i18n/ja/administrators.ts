/** What administrators of the platform and of units have in common. */
export const administrators = {
  name: '氏名',
  email: 'メールアドレス',
  emailHelp: 'ログインに使用します。あとから変更することはできません。',
  emailFixed: 'メールアドレスは変更できません。',
  password: 'パスワード',
  passwordHelp:
    '8文字以上で、英字と数字をどちらも含めてください。メールでは通知されないため、ご本人に伝えてください。',
  passwordEditHelp:
    '変更する場合だけ入力してください。8文字以上で、英字と数字をどちらも含めてください。変更すると、この管理者のログインはすべて解除されます。',
  ownPasswordHelp:
    '変更する場合だけ入力してください。8文字以上で、英字と数字をどちらも含めてください。変更すると、ほかの端末のログインは解除されます。',
  passwordHidden: '（表示されません）',
  passwordKept: '変更しない',
  passwordChanged: '変更する',
  role: '権限',
  roleHelp: 'ご自身の権限の範囲で選べます。変更は、相手がログイン中でもすぐに反映されます。',
  ownRole: 'ご自身の権限は変更できません。',
  roles: {
    superadmin: 'すべての管理',
    unitadmin: '管理者の管理',
    tenantadmin: '企業の管理',
    groupadmin: 'グループの閲覧',
    useradmin: 'ユーザーの閲覧',
    fileadmin: 'アプリケーションの管理',
    noadmin: '企業の閲覧のみ',
  },
  means: {
    superadmin:
      'すべての操作ができます。プラットフォーム管理者の作成、編集、削除と、プッシュ証明書の登録も含みます。',
    unitadminOfPlatform: '下の権限に加えて、ユニットとその管理者を作成、編集、削除できます。',
    unitadmin: '下の権限に加えて、このユニットの管理者を作成、編集、削除できます。',
    tenantadmin:
      '下の権限に加えて、企業と企業管理者を作成、編集、削除できます。契約、ライセンス、シングルサインオン、ドキュメントデータベースも変更でき、ライセンス履歴と操作ログを閲覧できます。',
    groupadmin: '下の権限に加えて、企業のグループとプッシュ証明書を閲覧できます。',
    useradmin: '下の権限に加えて、企業のユーザーを閲覧できます。',
    fileadmin:
      '下の権限に加えて、アプリケーションを登録、編集、削除して企業に配信できます。企業のファイルも閲覧できます。',
    noadmin: 'ユニット、企業の契約内容とドキュメントを閲覧できます。変更はできません。',
  },
  lastLoginAt: '最終ログイン',
  createdAt: '作成日',
  tellPassword: 'パスワードはメールで通知されません。メールアドレスとパスワードをご本人に伝えてください。',
};
