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
    superadmin: 'プラットフォーム管理者',
    unitadmin: 'ユニット管理者',
    tenantadmin: '契約企業の管理者',
    groupadmin: 'グループ管理者',
    useradmin: 'ユーザー管理者',
    fileadmin: 'ファイル管理者',
    noadmin: '企業の閲覧のみ',
  },
  means: {
    superadmin: 'すべての操作ができます。プラットフォーム管理者の作成、編集、削除も含みます。',
    unitadminOfPlatform: '下の権限に加えて、ユニットとその管理者を作成、編集、削除できます。',
    unitadmin: '下の権限に加えて、このユニットの管理者を作成、編集、削除できます。',
    tenantadmin:
      '下の権限に加えて、企業と企業管理者を作成、編集、削除できます。契約とライセンスも変更できます。',
    groupadmin: '下の権限に加えて、企業のグループを閲覧できます。',
    useradmin: '下の権限に加えて、企業のユーザーを閲覧できます。',
    fileadmin: '下の権限に加えて、企業のファイルを閲覧できます。',
    noadmin: 'ユニットと企業の契約内容を閲覧できます。変更はできません。',
  },
  lastLoginAt: '最終ログイン',
  createdAt: '作成日',
  tellPassword: 'パスワードはメールで通知されません。メールアドレスとパスワードをご本人に伝えてください。',
};
