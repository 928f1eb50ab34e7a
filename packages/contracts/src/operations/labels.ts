/** What the operation log calls each operation, by the name of its route. A test holds it to the routes that are logged. */

export interface OperationLabel {
  readonly ja: string;
  readonly en: string;
}

const label = (ja: string, en: string): OperationLabel => ({ ja, en });

const exportOf = (file: string) => label(`${file}のエクスポート`, `Export of ${file}`);
const exportCancelled = (file: string) =>
  label(`${file}のエクスポートの中止`, `Cancellation of an export of ${file}`);
const secondStep = label('確認コードの入力', 'Verification code of a sign-in');
const signOut = label('ログアウト', 'Sign-out');
const passwordChange = label('自分のパスワードの変更', 'Change of their own password');
const passwordByLink = label('メールのリンクからのパスワード設定', 'Password set by the link of an email');
const linkAsked = label('パスワード再設定メールの依頼', 'Request for an email to reset a password');
const sessionEnded = label('自分のセッションの終了', 'End of one of their own sessions');
const otherSessionsEnded = label('自分のほかのセッションの終了', 'End of their other sessions');
const preferencesSaved = label('表示設定の保存', 'Preferences saved');
const noticesRead = label('お知らせの既読', 'Notices marked as read');
const twoFactorBegun = label('2段階認証の設定開始', 'Set-up of two-factor sign-in begun');
const twoFactorEnabled = label('2段階認証の有効化', 'Two-factor sign-in turned on');
const twoFactorDisabled = label('2段階認証の無効化', 'Two-factor sign-in turned off');
const twoFactorRemoved = label('2段階認証の解除', 'Two-factor sign-in taken away');
const recoveryCodesRenewed = label('リカバリーコードの再発行', 'New recovery codes');
const adminCreated = label('企業管理者の作成', 'Creation of a company admin');
const adminsDeleted = label('企業管理者の削除', 'Deletion of company admins');
const certificationCreated = label('証明書の登録', 'Registration of a certificate');
const certificationUpdated = label('証明書の編集', 'Change of a certificate');
const ssoCreated = label('シングルサインオンの設定', 'Single sign-on set up');
const ssoLogout = label('シングルログアウト', 'Single logout');
const ssoTested = label('シングルサインオンのテスト', 'Test of single sign-on');
const ssoUpdated = label('シングルサインオンの設定の変更', 'Change of the setting of single sign-on');
const databaseKeyRenewed = label(
  'ドキュメントデータベースのAPIキーの再発行',
  'New API key of a document database',
);
const versionRestored = label('バージョンの復元', 'A version put back');
const rolloutAdvanced = label('段階配信を次の段階へ進める', 'Next stage of a rollout begun');
const rolloutHalted = label('段階配信の停止', 'A rollout halted');
const rolloutResumed = label('段階配信の再開', 'A rollout resumed');
const rolloutCancelled = label('段階配信の中止', 'A rollout cancelled');
const adminUpdated = label('企業管理者の編集', 'Change of a company admin');

/** Of operations in the portals and players of tenants. */
export const tenantOperationLabels: Readonly<Record<string, OperationLabel>> = {
  changePartnerPassword: passwordChange,
  initUserPassword: label('初回パスワードの設定', 'First password set by the link of an email'),
  partnerLogin: label('ログイン', 'Sign-in'),
  partnerLogout: signOut,
  resetPartnerPassword: passwordByLink,
  resetUserPassword: passwordByLink,
  sendPartnerResetMail: linkAsked,
  sendResetMailTo: label('ユーザーへのパスワードメールの送信', 'Email to a user to set a password'),
  sendUserResetMail: linkAsked,
  userLogout: label('プレイヤーのログアウト', 'Sign-out of a player'),
  endOtherPartnerSessions: otherSessionsEnded,
  endPartnerSession: sessionEnded,
  endUserSessions: label('ユーザーのセッションの終了', 'End of all sessions of a user'),
  savePartnerPreferences: preferencesSaved,
  readPartnerNotices: noticesRead,
  beginPartnerTwoFactor: twoFactorBegun,
  disablePartnerTwoFactor: twoFactorDisabled,
  enablePartnerTwoFactor: twoFactorEnabled,
  partnerSecondFactor: secondStep,
  removeCompanyAdminTwoFactor: twoFactorRemoved,
  removeUserTwoFactor: twoFactorRemoved,
  renewPartnerRecoveryCodes: recoveryCodesRenewed,
  updateSecuritySettings: label('セキュリティ設定の変更', 'Change of the security settings'),
  createGroup: label('グループの作成', 'Creation of a group'),
  updateGroup: label('グループの編集', 'Change of a group'),
  deleteGroup: label('グループの削除', 'Deletion of a group'),
  deleteGroups: label('グループの削除', 'Deletion of groups'),
  addGroupUsers: label('グループへのユーザーの追加', 'Users added to a group'),
  removeGroupUsers: label('グループからのユーザーの除外', 'Users removed from a group'),
  exportGroups: exportOf('groups.csv'),
  signUpTrial: label('トライアルの申し込み', 'Sign-up for a trial'),
  signUpFree: label('無料プランの申し込み', 'Sign-up for the free plan'),
  signUpSocial: label('外部アカウントでの申し込み', 'Sign-up with an account at an identity provider'),
  validateIdentity: label('外部アカウントでのログイン', 'Sign-in with an account at an identity provider'),
  activateSignUp: label('申し込みの確認', 'Confirmation of a sign-up'),
  createUser: label('ユーザーの作成', 'Creation of a user'),
  updateUser: label('ユーザーの編集', 'Change of a user'),
  deleteUsers: label('ユーザーの削除', 'Deletion of users'),
  changeUsersGroups: label('ユーザーのグループの変更', 'Change of the groups of users'),
  sendSetupMails: label('初回パスワード設定メールの再送信', 'Emails to set a first password sent again'),
  createUserImport: label('ユーザーのインポートの開始', 'Import of users begun'),
  applyUserImport: label('ユーザーのインポートの反映', 'Import of users applied'),
  cancelUserImport: label('ユーザーのインポートの中止', 'Cancellation of an import of users'),
  exportUserImportErrors: label('インポートのエラーのダウンロード', 'Download of the errors of an import'),
  updatePlatform: label('端末情報の更新', 'Change of a device'),
  createCompanyAdmin: adminCreated,
  deleteCompanyAdmins: adminsDeleted,
  exportCompanyAdmins: exportOf('admins.csv'),
  updateCompanyAdmin: adminUpdated,
  createFile: label('ファイルの登録', 'Creation of a file'),
  createSingleFile: label('ファイルの登録', 'Creation of a file'),
  updateFile: label('ファイルの編集', 'Change of a file'),
  deleteFile: label('ファイルの削除', 'Deletion of a file'),
  assignGroups: label('ファイルのグループ割り当て', 'Assignment of a file to groups'),
  reserveUpdate: label('ファイルの更新予約', 'Reservation of an update of a file'),
  cancelUpdate: label('ファイルの更新予約の取り消し', 'Cancellation of a reserved update'),
  completeUpload: label('アップロードの完了', 'Completion of an upload'),
  abortUpload: label('アップロードの取り消し', 'Cancellation of an upload'),
  restoreVersion: versionRestored,
  approveChange: label('変更の承認', 'Approval of a change'),
  declineChange: label('変更の却下', 'Refusal of a change'),
  createCalendarToken: label('カレンダーのURLの発行', 'Address of the calendar made'),
  deleteCalendarToken: label('カレンダーのURLの失効', 'Address of the calendar revoked'),
  advanceRollout: rolloutAdvanced,
  haltRollout: rolloutHalted,
  resumeRollout: rolloutResumed,
  cancelRollout: rolloutCancelled,
  updateDeliverySettings: label('配信設定の変更', 'Change of the delivery settings'),
  createCertification: certificationCreated,
  updateCertification: certificationUpdated,
  deleteCertification: label('証明書の削除', 'Deletion of a certificate'),
  exportCertifications: exportOf('certifications.csv'),
  createSso: ssoCreated,
  acceptSamlResponse: label('シングルサインオンの応答の受信', 'Response of an identity provider'),
  redeemSsoCode: label('シングルサインオンでのログイン', 'Sign-in by single sign-on'),
  logOutByPost: ssoLogout,
  logOutByRedirect: ssoLogout,
  beginSsoTest: ssoTested,
  updateSso: ssoUpdated,
  createProvisioningToken: label('プロビジョニングトークンの発行', 'Token for provisioning made'),
  deleteProvisioningToken: label('プロビジョニングトークンの失効', 'Token for provisioning revoked'),
  createScimUser: label('ユーザーのプロビジョニング（作成）', 'Creation of a user by provisioning'),
  replaceScimUser: label('ユーザーのプロビジョニング（編集）', 'Change of a user by provisioning'),
  patchScimUser: label('ユーザーのプロビジョニング（編集）', 'Change of a user by provisioning'),
  deleteScimUser: label('ユーザーのプロビジョニング（削除）', 'Deletion of a user by provisioning'),
  createScimGroup: label('グループのプロビジョニング（作成）', 'Creation of a group by provisioning'),
  replaceScimGroup: label('グループのプロビジョニング（編集）', 'Change of a group by provisioning'),
  patchScimGroup: label('グループのプロビジョニング（編集）', 'Change of a group by provisioning'),
  deleteScimGroup: label('グループのプロビジョニング（削除）', 'Deletion of a group by provisioning'),
  renewOwnDatabaseKey: databaseKeyRenewed,
  createCollection: label('コレクションの作成', 'Creation of a collection'),
  deleteCollection: label('コレクションの削除', 'Deletion of a collection'),
  createDocument: label('ドキュメントの作成', 'Creation of a document'),
  replaceDocument: label('ドキュメントの編集', 'Change of a document'),
  deleteDocument: label('ドキュメントの削除', 'Deletion of a document'),
  deleteDocuments: label('ドキュメントの一括削除', 'Deletion of documents'),
  importDocuments: label('ドキュメントのインポート', 'Import of documents'),
  exportDocuments: label('ドキュメントのエクスポート', 'Export of documents'),
  createIndex: label('インデックスの作成', 'Creation of an index'),
  deleteIndex: label('インデックスの削除', 'Deletion of an index'),
  createNotification: label('プッシュ通知の作成', 'Creation of a push notification'),
  updateNotification: label('プッシュ通知の編集', 'Change of a push notification'),
  deleteNotification: label('プッシュ通知の削除', 'Deletion of a push notification'),
  createDeliveryCsv: exportOf('delivery.csv'),
  createDeliveryCsvByGet: exportOf('delivery.csv'),
  cancelDeliveryCsv: exportCancelled('delivery.csv'),
  createPushNotificationsCsv: exportOf('push_notifications.csv'),
  createPushNotificationsCsvByGet: exportOf('push_notifications.csv'),
  cancelPushNotificationsCsv: exportCancelled('push_notifications.csv'),
  createFilesCsv: exportOf('files.csv'),
  createFilesCsvByGet: exportOf('files.csv'),
  cancelFilesCsv: exportCancelled('files.csv'),
  createUsersCsv: exportOf('users.csv'),
  createUsersCsvByGet: exportOf('users.csv'),
  cancelUsersCsv: exportCancelled('users.csv'),
  createOperationLogsCsv: exportOf('operation_logs.csv'),
  createOperationLogsCsvByGet: exportOf('operation_logs.csv'),
  cancelOperationLogsCsv: exportCancelled('operation_logs.csv'),
};

/** Of operations of administrators. */
export const platformOperationLabels: Readonly<Record<string, OperationLabel>> = {
  adminLogin: label('管理者のログイン', 'Sign-in of an administrator'),
  adminLogout: signOut,
  changeAdminPassword: passwordChange,
  resetAdminPassword: passwordByLink,
  sendAdminResetMail: linkAsked,
  endAdminSession: sessionEnded,
  endOtherAdminSessions: otherSessionsEnded,
  saveAdminPreferences: preferencesSaved,
  readAdminNotices: noticesRead,
  adminSecondFactor: secondStep,
  beginAdminTwoFactor: twoFactorBegun,
  disableAdminTwoFactor: twoFactorDisabled,
  enableAdminTwoFactor: twoFactorEnabled,
  removeAdminTwoFactor: twoFactorRemoved,
  removePartnerAdminTwoFactor: twoFactorRemoved,
  renewAdminRecoveryCodes: recoveryCodesRenewed,
  updatePlatformSecuritySettings: label(
    '全体のセキュリティ設定の変更',
    'Change of the security settings of the platform',
  ),
  createAdmin: label('プラットフォーム管理者の作成', 'Creation of a platform administrator'),
  updateAdmin: label('プラットフォーム管理者の編集', 'Change of a platform administrator'),
  deleteAdmin: label('プラットフォーム管理者の削除', 'Deletion of a platform administrator'),
  createUnitAdmin: label('ユニット管理者の作成', 'Creation of a unit administrator'),
  updateUnitAdmin: label('ユニット管理者の編集', 'Change of a unit administrator'),
  deleteUnitAdmin: label('ユニット管理者の削除', 'Deletion of a unit administrator'),
  createPartnerAdmin: adminCreated,
  deletePartnerAdmins: adminsDeleted,
  exportPartnerAdmins: exportOf('admins.csv'),
  updatePartnerAdmin: adminUpdated,
  createAllOperationLogsCsv: exportOf('operation_logs.csv'),
  createAllOperationLogsCsvByGet: exportOf('operation_logs.csv'),
  cancelAllOperationLogsCsv: exportCancelled('operation_logs.csv'),
  createApplication: label('アプリケーションの登録', 'Creation of an application'),
  updateApplication: label('アプリケーションの編集', 'Change of an application'),
  deleteApplication: label('アプリケーションの削除', 'Deletion of an application'),
  restoreApplicationVersion: versionRestored,
  advanceApplicationRollout: rolloutAdvanced,
  haltApplicationRollout: rolloutHalted,
  resumeApplicationRollout: rolloutResumed,
  cancelApplicationRollout: rolloutCancelled,
  createOperatorCertification: certificationCreated,
  updateOperatorCertification: certificationUpdated,
  createPartnerSso: ssoCreated,
  beginPartnerSsoTest: ssoTested,
  updatePartnerSso: ssoUpdated,
  deletePartnerSso: label('シングルサインオンの設定の削除', 'Deletion of the setting of single sign-on'),
  createDatabase: label('ドキュメントデータベースの作成', 'Creation of a document database'),
  updateDatabase: label(
    'ドキュメントデータベースの契約の変更',
    'Change of the contract of a document database',
  ),
  deleteDatabase: label('ドキュメントデータベースの削除', 'Deletion of a document database'),
  renewDatabaseKey: databaseKeyRenewed,
  createUnit: label('ユニットの作成', 'Creation of a unit'),
  updateUnit: label('ユニットの編集', 'Change of a unit'),
  deleteUnit: label('ユニットの削除', 'Deletion of a unit'),
  createPartner: label('企業の作成', 'Creation of a company'),
  updatePartner: label('企業の編集', 'Change of a company'),
  deletePartner: label('企業の削除', 'Deletion of a company'),
  exportLicenceChanges: exportOf('license_updated_logs.csv'),
  exportPartnerLicenceChanges: exportOf('license_updated_logs.csv'),
  createPartnersCsv: exportOf('partners.csv'),
  createPartnersCsvByGet: exportOf('partners.csv'),
  cancelPartnersCsv: exportCancelled('partners.csv'),
};

export const operationLabels = { ...tenantOperationLabels, ...platformOperationLabels };
