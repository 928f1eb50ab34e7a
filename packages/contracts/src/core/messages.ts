import { type ErrorCode, type Language, serverErrorMessage } from './errors.ts';

/** The message of every code, in both languages. */
export const errorCatalogue = {
  E40001: { ja: '不正なリクエストです。', en: 'Invalid request.' },
  E40002: { ja: '入力値が正しくありません。', en: 'Invalid parameter.' },
  E40003: { ja: '必須項目が入力されていません。', en: 'A required parameter is missing.' },
  E40004: {
    ja: '認証の有効期限が切れました。もう一度ログインしてください。',
    en: 'Authentication has expired. Please sign in again.',
  },
  E40005: { ja: 'エージェントヘッダーが不正です。', en: 'Invalid agent header.' },
  E40006: {
    ja: 'メールアドレスまたはユーザーIDを指定してください。',
    en: 'Specify an email address or a user ID.',
  },
  E40007: {
    ja: 'ユーザーIDを指定する場合はパスワードが必要です。',
    en: 'A password is required when a user ID is set.',
  },
  E40008: {
    ja: 'ライセンスが不足しているため、ユーザーを追加できません。',
    en: 'There are no licenses left to add a user.',
  },
  E40009: { ja: 'ログイン方法は変更できません。', en: 'The way of signing in cannot be changed.' },
  E40010: { ja: '一括処理がすでに実行中です。', en: 'A batch registration is already running.' },
  E40014: { ja: 'この企業IDはすでに使用されています。', en: 'The company ID is already in use.' },
  E40015: { ja: '無料プランの企業は作成できません。', en: 'A company with the free plan cannot be created.' },
  E40016: { ja: 'これ以上ライセンスを追加できません。', en: 'No more licenses can be added.' },
  E40017: {
    ja: 'UAPファイル数の上限は、公開済みのファイル数より大きい値、または0を指定してください。',
    en: 'The UAP file limit must exceed the number of published files, or be zero.',
  },
  E40018: { ja: 'UAPファイル数の上限を超えています。', en: 'The UAP file limit is exceeded.' },
  E40019: { ja: 'UAPファイルをアップロード中です。', en: 'A UAP upload is in progress.' },
  E40020: { ja: '無料プランの企業には変更できません。', en: 'A company cannot be changed to the free plan.' },
  E40021: {
    ja: '無料プランの企業のライセンス種別は変更できません。',
    en: 'The license type of a company with the free plan cannot be changed.',
  },
  E40022: {
    ja: '無料プランの企業のライセンス数は変更できません。',
    en: 'The number of licenses of a company with the free plan cannot be changed.',
  },
  E40023: {
    ja: 'ライセンス数は有効なユーザー数より少なくできません。',
    en: 'The license count cannot drop below the number of activated users.',
  },
  E40024: { ja: '操作ログのダウンロードに失敗しました。', en: 'The operation log download failed.' },
  E40025: {
    ja: '更新予約日時は配信予約日時より後にしてください。',
    en: 'Update reservation should be later than the deliver reservation',
  },
  E40026: { ja: 'このファイル名はすでに使用されています。', en: 'The filename is already in use.' },
  E40027: { ja: 'グループにユーザーが所属しています。', en: 'The group has users.' },
  E40028: { ja: 'グループにファイルが割り当てられています。', en: 'The group has files.' },
  E40029: { ja: 'この値はすでに使用されています。', en: 'The value is not unique.' },
  E40030: {
    ja: '証明書ファイルまたはAPIキーを指定してください。',
    en: 'Specify a certificate file or an API key.',
  },
  E40031: { ja: '使用中のため削除できません。', en: 'It is in use and cannot be deleted.' },
  E40032: { ja: 'データがすでに存在します。', en: 'The data already exists.' },
  E40033: { ja: 'APIキーが不正です。', en: 'Invalid API key.' },
  E40034: { ja: 'ステータスが不正です。', en: 'Invalid status.' },
  E40035: { ja: 'このユーザーのパスワードは変更できません。', en: 'The user cannot change the password.' },
  E40036: {
    ja: 'メールを送信できませんでした。しばらくしてから再度お試しください。',
    en: 'The email could not be sent. Please try again later.',
  },
  E40037: { ja: 'SAMLレスポンスが不正です。', en: 'Invalid SAML response.' },
  E40101: { ja: 'ユーザー情報に誤りがあります。', en: 'Invalid authentication.' },
  E40102: {
    ja: '認証情報が無効です。もう一度ログインしてください。',
    en: 'Invalid token. Please sign in again.',
  },
  E40103: { ja: '確認コードを入力してください。', en: 'Enter the verification code.' },
  E40301: { ja: 'この操作を行う権限がありません。', en: 'Your account has no privilege' },
  E40302: { ja: '契約期間が終了しています。', en: 'The license has expired.' },
  E40304: {
    ja: 'ご契約のプランではご利用いただけません。',
    en: 'The contract does not allow this endpoint.',
  },
  E40305: {
    ja: 'この企業に対する操作は許可されていません。',
    en: 'This company is not one of your unit.',
  },
  E40306: { ja: '利用できる端末数の上限を超えています。', en: 'The device limit is exceeded.' },
  E40307: { ja: 'ライセンス数の上限に達しています。', en: 'The license limit has been reached.' },
  E40310: { ja: 'トライアルはすでに登録されています。', en: 'A trial is already registered.' },
  E40311: { ja: '無料プランはすでに登録されています。', en: 'A free account is already registered.' },
  E40312: { ja: 'データがすでに存在します。', en: 'The data already exists.' },
  E40401: { ja: '対象が見つかりません。', en: 'Not found.' },
  E40402: { ja: '登録されていない企業IDです。', en: 'The company was not found.' },
  E40403: { ja: 'ユーザーが見つかりません。', en: 'The user was not found.' },
  E40404: { ja: 'グループが見つかりません。', en: 'The group was not found.' },
  E40405: { ja: 'ファイルが見つかりません。', en: 'The file was not found.' },
  E50001: serverErrorMessage,
  E50301: {
    ja: 'サービスを一時的に利用できません。しばらくしてから再度お試しください。',
    en: 'The service is temporarily unavailable. Please try again later.',
  },
} as const satisfies Record<ErrorCode, Record<Language, string>>;

/**
 * What may be wrong with one field, in both languages. A rule names its message by key so that the server,
 * the browser's form validation and the tests say the same. `{name}` is replaced by the rule's parameters.
 */
export const fieldMessages = {
  required: { ja: '入力してください。', en: 'This field is required.' },
  invalidType: { ja: '値の型が正しくありません。', en: 'The value has the wrong type.' },
  invalidValue: { ja: '値が正しくありません。', en: 'The value is invalid.' },
  everyoneNotAllowed: {
    ja: 'ご契約では全員に配信できません。グループを選択してください。',
    en: 'Your contract does not allow delivery to everyone. Choose groups.',
  },
  endBeforeStart: {
    ja: '開始日時以降の日時を入力してください。',
    en: 'The end must not be before the start.',
  },
  calendarRange: {
    ja: '期間は{max}日以内にしてください。',
    en: 'The range is at most {max} days.',
  },
  duration: {
    ja: '期間の指定が正しくありません。90日以内で「P1DT12H」の形式で入力してください。',
    en: 'Enter a duration such as P1DT12H, of at most 90 days.',
  },
  firstStageWaits: {
    ja: '最初の段階には待ち時間を指定できません。',
    en: 'The first stage begins with the delivery: it cannot wait.',
  },
  stagesRise: {
    ja: '割合は段階ごとに大きくしてください。',
    en: 'The percentage must rise from stage to stage.',
  },
  lastStageOfAll: {
    ja: '最後の段階はグループを指定せず、100%にしてください。',
    en: 'The last stage must be 100 percent, without groups.',
  },
  noPilotGroups: {
    ja: 'アプリケーションの段階では、グループを指定できません。',
    en: 'A stage of an application cannot name groups: they are those of its companies.',
  },
  rolloutRunning: {
    ja: 'このバージョンの段階配信はまだ終わっていません。',
    en: 'The stages of this version have not ended yet.',
  },
  rolloutsTooMany: {
    ja: '終わっていない段階配信のバージョンが10個あります。段階を指定せずに配信するか、古い段階配信を最後まで進めてください。',
    en: 'Ten versions of this file go out in stages that have not ended. Deliver this one to everyone, or finish the others first.',
  },
  tooLong: { ja: '{max}文字以内で入力してください。', en: 'Enter at most {max} characters.' },
  outOfRange: { ja: '値が範囲外です。', en: 'The value is out of range.' },
  controlCharacter: {
    ja: '使用できない文字が含まれています。',
    en: 'It contains a character that is not allowed.',
  },
  email: { ja: 'メールアドレスの形式が正しくありません。', en: 'Enter a valid email address.' },
  tel: {
    ja: '電話番号は8〜20文字の数字、+、-、スペース、かっこで入力してください。',
    en: 'Enter a phone number of 8 to 20 digits, +, -, spaces and parentheses.',
  },
  digits: { ja: '半角数字で入力してください。', en: 'Use digits only.' },
  agreement: { ja: '利用規約に同意してください。', en: 'Please agree to the terms.' },
  alreadyTrial: {
    ja: 'このメールアドレスはトライアルに登録済みです。',
    en: 'There is or was a trial with this email address.',
  },
  alreadyFree: {
    ja: 'このメールアドレスは無料プランに登録済みです。',
    en: 'There is or was a free account with this email address.',
  },
  emailList: {
    ja: 'メールアドレスをカンマ区切りで10件以内で入力してください。',
    en: 'Enter at most 10 email addresses, separated by commas.',
  },
  password8char: {
    ja: '8文字以上の英数字混在のパスワードを入力してください。',
    en: 'At least 8 alphanumeric characters required.',
  },
  passwordUnmatch: { ja: 'パスワードが一致しません。', en: 'Password unmatch' },
  samePassword: {
    ja: '現在と同じパスワードは使用できません。',
    en: 'The new password must differ from the current one.',
  },
  guessablePassword: {
    ja: 'よく使われるパスワードや、名前・メールアドレス・ユーザーIDと同じパスワードは使用できません。',
    en: 'Choose a password that is neither widely used nor your name, email address or user ID.',
  },
  wrongCurrentPassword: { ja: '現在のパスワードが正しくありません。', en: 'The current password is wrong.' },
  wrongCode: { ja: '確認コードが正しくありません。', en: 'The verification code is wrong.' },
  invaliduserid: {
    ja: '半角英数字、ハイフン、アンダースコアのみ使用できます。',
    en: 'Allowed characters are alphanumeric, hyphen, and underscore.',
  },
  emailOrLoginUserId: {
    ja: 'メールアドレスとユーザーIDの両方は指定できません。',
    en: 'Specify either an email address or a user ID, not both.',
  },
  passwordWithEmail: {
    ja: 'メールアドレスのユーザーにはパスワードを指定できません。',
    en: 'A password cannot be set for a user with an email address.',
  },
  invalidjson: { ja: 'JSON形式で入力してください。', en: 'Enter valid JSON.' },
  filterTimeout: {
    ja: '検索に時間がかかりすぎるため中止しました。条件を絞るか、インデックスを作成してください。',
    en: 'The search took too long. Narrow the filter, or make an index.',
  },
  filterNullInPlaces: {
    ja: '数字だけの要素が2つ続くパス（例：sales.2024.12）には、nullとの比較を指定できません。',
    en: 'A path with two numbers one after the other, such as sales.2024.12, cannot be compared with null.',
  },
  sortTimeout: {
    ja: '件数が多く、並べ替えや後ろのページの表示に時間がかかりすぎるため中止しました。フィルターで件数を絞ってください。',
    en: 'Sorting, or going to a page far behind, took too long among so many documents. Narrow them down by a filter.',
  },
  documentObject: { ja: 'JSONオブジェクトを入力してください。', en: 'Enter a JSON object.' },
  documentKey: {
    ja: '使用できないキーです。「$」で始まるキー、NUL文字を含むキー、「__proto__」は使用できません。',
    en: 'The key cannot be used: a key does not begin with $, contains no NUL and is not __proto__.',
  },
  documentDepth: { ja: '{max}階層以内にしてください。', en: 'At most {max} levels can be nested.' },
  documentId: {
    ja: '使える文字は半角英数字と「-」「_」「.」「:」で、長さは128文字までです。「.」と「..」は使用できません。',
    en: 'Use at most 128 letters, digits, hyphens, underscores, periods and colons, and neither . nor .. alone.',
  },
  documentTooLarge: {
    ja: 'ドキュメントが{max}バイトを超えています。',
    en: 'The document exceeds {max} bytes.',
  },
  documentArray: {
    ja: 'JSON配列が正しく終わっていません。ここから後は読み込まれていません。',
    en: 'The JSON array does not end properly. Nothing after this line was read.',
  },
  databaseFull: {
    ja: 'ドキュメントデータベースの容量の上限に達しました。',
    en: 'The document database is full.',
  },
  unfinishedTime: { ja: '日付と時刻の両方を入力してください。', en: 'Enter both the date and the time.' },
  futureTime: { ja: '未来の日時を指定してください。', en: 'Specify a time in the future.' },
  notUtf8: { ja: '文字コードがUTF-8ではありません。', en: 'The encoding is not UTF-8.' },
  fileRequired: {
    ja: '{kind}ファイルが未選択です。添付してください。',
    en: 'No {kind} file is selected. Please attach one.',
  },
  tooManyFiles: {
    ja: '一度に選べるのは{max}件までです。',
    en: 'Choose at most {max} files at once.',
  },
  groupRequired: { ja: 'グループを選択してください。', en: 'Select Group' },
  fileTooLarge: {
    ja: 'ファイルサイズが上限を超えています。ファイルを修正して再度添付してください。',
    en: 'The size of the file exceeds the maximum value. Please correct the file and attach it again.',
  },
  storageFull: {
    ja: '保存容量の上限を超えるため、アップロードできません。不要なファイルを削除してください。',
    en: 'There is not enough storage left for this file. Delete files that are no longer needed.',
  },
  fileEmpty: { ja: 'ファイルが空です。', en: 'The file is empty.' },
  fileExtension: {
    ja: '.uapまたは.ufpzファイルを指定してください。',
    en: 'Specify a .uap or .ufpz file.',
  },
  fileName: { ja: 'ファイル名が正しくありません。', en: 'The file name is invalid.' },
  fileNameChanged: {
    ja: 'ファイル名「{filename}」は変更できません。',
    en: "Don't change filename from {filename}.",
  },
  tooManyUploads: {
    ja: '完了していないアップロードが{max}件あります。完了または中止してから再度お試しください。',
    en: 'There are {max} uploads that are not complete. Complete or abort some of them first.',
  },
  fileSizeMismatch: {
    ja: 'アップロードされたファイルのサイズが一致しません。',
    en: 'The size of the uploaded file does not match.',
  },
  fileIncomplete: {
    ja: 'アップロードされていない部分があります。',
    en: 'Some parts of the file have not been uploaded.',
  },
  updateBeforeDeliver: {
    ja: '更新予約日時は配信予約日時より後にしてください。',
    en: 'Update reservation should be later than the deliver reservation',
  },
  updatePast: {
    ja: '更新予約日時に過去の日時は指定できません。',
    en: 'Update reservation should not be past',
  },
  deliverPast: {
    ja: '配信予約日時に過去の日時は指定できません。',
    en: 'Deliver reservation should not be past',
  },
  reservationTooSoon: {
    ja: '予約日時は10分以上先の日時を指定してください。',
    en: 'The reservation must be at least 10 minutes ahead.',
  },
  publisherOnly: {
    ja: 'このアプリケーションは運営者が配信しているため、変更できません。',
    en: 'The operator publishes this application, so only the operator can change it.',
  },
  oneDestination: {
    ja: '配信先はすべての企業か、1社以上の企業のどちらかを指定してください。',
    en: 'Specify either all companies or at least one company as the destination.',
  },
  saleTypeFixed: {
    ja: '販売区分は変更できません。',
    en: 'The sale type cannot be changed.',
  },
  forcedDeliveryNotAllowed: {
    ja: 'このユニットは強制配信を許可されていません。',
    en: 'This unit may not deliver applications by itself.',
  },
  distributeAdminOnly: {
    ja: 'ファイルを配信するには管理者権限が必要です。',
    en: 'Administrator privileges are required',
  },
  deliverDatetimeRequired: {
    ja: '配信日時を入力してください。',
    en: 'Delivery Datetime is required.',
  },
  usersRequired: { ja: 'ユーザーを選択してください。', en: 'Select users.' },
  pushTitleTooLong: {
    ja: '全角30文字（半角61文字）以内で入力してください。',
    en: 'Enter at most 30 full-width or 61 half-width characters.',
  },
  pushMessageTooLong: {
    ja: '全角117文字（半角235文字）以内で入力してください。',
    en: 'Enter at most 117 full-width or 235 half-width characters.',
  },
  pushJsonTooLong: {
    ja: 'JSONは2,000バイト以内で入力してください。',
    en: 'Enter at most 2,000 bytes of JSON.',
  },
  nameHoldsKey: {
    ja: '名前に秘密鍵や証明書の内容は入力できません。',
    en: 'A name cannot hold the contents of a key or a certificate.',
  },
  groupOrUsers: {
    ja: 'グループとユーザーは、どちらか一方だけを指定してください。',
    en: 'Specify either a group or users, not both.',
  },
  pushNotInContract: {
    ja: 'ご契約のプランでは、プッシュ通知を利用できません。',
    en: 'Your plan does not include push notifications.',
  },
  pushCertificateMissing: {
    ja: 'プッシュ通知の証明書が登録されていないため、プッシュ通知は送信できません。',
    en: 'Push notifications cannot be sent, because no push certificate is registered.',
  },
  csvExtension: { ja: '.csvファイルを指定してください。', en: 'Specify a .csv file.' },
  csvEmpty: { ja: 'CSVファイルにユーザーの行がありません。', en: 'The CSV file has no row of a user.' },
  csvEncoding: {
    ja: '文字コードを判別できません。UTF-8またはShift-JISで保存してください。',
    en: 'The encoding cannot be told. Save the file in UTF-8 or Shift-JIS.',
  },
  csvQuote: {
    ja: '引用符（"）の使い方が正しくありません。CSVとして読み込めません。',
    en: 'A quotation mark (") is out of place. The file cannot be read as CSV.',
  },
  csvRecordTooLong: {
    ja: '1行が長すぎます。CSVファイルではない可能性があります。',
    en: 'A line is too long. It may not be a CSV file.',
  },
  csvTooManyRows: {
    ja: '行が多すぎます。一度に取り込めるのは{max}行までです。',
    en: 'There are too many rows. At most {max} can be imported at once.',
  },
  csvHeader: {
    ja: '1行目に見出しの行がありません。',
    en: 'The first line is not a header.',
  },
  csvColumns: {
    ja: '{columns}列必要ですが、{count}列あります。',
    en: 'Columns needed: {columns}; columns found: {count}.',
  },
  csvGroupIds: {
    ja: 'グループIDをカンマ区切りの数字で入力してください。',
    en: 'Enter group IDs as numbers separated by commas.',
  },
  csvDeleteFlag: {
    ja: '削除する場合は1、しない場合は0を入力してください。',
    en: 'Enter 1 to delete the user, or 0 to keep them.',
  },
  groupsNotFound: {
    ja: '存在しないグループIDがあります: {ids}',
    en: 'There is no group with this ID: {ids}',
  },
  csvDuplicate: {
    ja: '{line}行目と同じユーザーです。',
    en: 'It is the same user as in line {line}.',
  },
  licencesShort: {
    ja: 'ライセンスが{missing}件不足しています（必要: {needed}件、空き: {left}件）。',
    en: 'There are too few licenses: {needed} needed, {left} free, {missing} short.',
  },
  unitLicencesLeft: {
    ja: 'ユニットに残っているライセンスは{left}件です。',
    en: 'Licenses left in the unit: {left}.',
  },
  unitLicencesGiven: {
    ja: 'ユニットの企業に{given}件のライセンスが割り当てられています。',
    en: 'Licenses of the companies in the unit: {given}.',
  },
  planLicences: {
    ja: 'このプランのライセンス数は{max}件までです。',
    en: 'The plan has at most {max} licenses.',
  },
  licencesInUse: {
    ja: '{used}件のライセンスが使用中です。',
    en: 'Licenses in use: {used}.',
  },
  uapFilesPresent: {
    ja: 'UAPファイルが{count}件あります。',
    en: 'Number of .uap files: {count}.',
  },
  companyHoldsData: {
    ja: 'ユーザー、グループ、ファイルがある企業は、契約が終了するまで削除できません。',
    en: 'A company with users, groups or files cannot be deleted before its contract has ended.',
  },
  lastAdmin: {
    ja: '最後の管理者は削除できません。',
    en: 'The last administrator cannot be deleted.',
  },
  adminRoleStays: {
    ja: '管理者の権限を外すことはできません。',
    en: 'The administrator role cannot be taken away.',
  },
  ownRole: {
    ja: 'ご自身の管理者権限は外せません。ほかの管理者に依頼してください。',
    en: 'You cannot take the administrator role from yourself. Please ask another administrator.',
  },
  lastAdminRole: {
    ja: '管理者が1人もいなくなるため、外せません。',
    en: 'There must be at least one administrator.',
  },
  twoAdmins: {
    ja: '配信の変更に承認が必要な間は、管理者を2人未満にできません。',
    en: 'While changes of deliveries need a second administrator, there must be at least two.',
  },
  twoAdminsNeeded: {
    ja: '承認には管理者が2人以上必要です。',
    en: 'Approvals need at least two administrators.',
  },
  previewOutdated: {
    ja: '確認後に内容が変わりました。もう一度確認してください。',
    en: 'Something has changed since this was shown. Please look at it again.',
  },
  ownApproval: {
    ja: 'ご自身が依頼した変更は承認できません。',
    en: 'You cannot approve a change that you asked for.',
  },
  lastActiveAdmin: {
    ja: '最後の管理者は無効にできません。',
    en: 'The last administrator cannot be made inactive.',
  },
  deletionRefused: { ja: '削除できません。', en: 'The deletion is not possible.' },
  ownAccount: { ja: 'ご自身のアカウントは削除できません。', en: 'You cannot delete your own account.' },
  importMissing: {
    ja: 'アップロードされたファイルが見つかりません。もう一度アップロードしてください。',
    en: 'The uploaded file is gone. Upload it again.',
  },
  importReplaced: {
    ja: '別のインポートが開始されたため、中止されました。',
    en: 'It was given up because another import was begun.',
  },
  importCancelled: { ja: 'インポートを取り消しました。', en: 'The import was cancelled.' },
  importOutdated: {
    ja: '確認後にユーザーが変更されたため、インポートしませんでした。もう一度ファイルを確認してください。',
    en: 'Users have changed since the file was checked, so nothing was imported. Please check it again.',
  },
  importFailed: {
    ja: 'インポートできませんでした。もう一度お試しください。',
    en: 'The import did not succeed. Please try again.',
  },
  idsOrFilter: {
    ja: 'idsかfilterのどちらか一方を指定してください。',
    en: 'Give either ids or a filter.',
  },
  idsOrAll: {
    ja: 'idsかallのどちらか一方を指定してください。',
    en: 'Give either ids or all.',
  },
  idsAndAll: {
    ja: 'idsとallを同時に指定することはできません。',
    en: 'Ids and all cannot be given together.',
  },
  idsAndFilter: {
    ja: 'idsとfilterを同時に指定することはできません。',
    en: 'Ids and a filter cannot be given together.',
  },
  countWithFilter: {
    ja: 'filterを指定する場合は、expected_countも指定してください。',
    en: 'With a filter, give expected_count as well.',
  },
  tooManySelected: {
    ja: '一度に変更できるのは200,000件までです。条件を追加して絞り込んでください。',
    en: 'At most 200,000 can be changed at once. Narrow the filter.',
  },
  addOrRemove: {
    ja: '追加または除外するグループを指定してください。',
    en: 'Give groups to add or to remove.',
  },
  addedAndRemoved: {
    ja: '追加と除外の両方に同じグループが指定されています。',
    en: 'A group is both added and removed.',
  },
  countChanged: {
    ja: '選択した件数が変わりました。もう一度確認してください。',
    en: 'The number of what is selected has changed. Please check it again.',
  },
  deleteCountRequired: {
    ja: '削除されるユーザーがいるため、その人数を指定してください。',
    en: 'The import deletes users. Give their number.',
  },
  deleteCountDiffers: {
    ja: '削除される人数が一致しません。内容をもう一度確認してください。',
    en: 'The number of users to be deleted is different. Please check the import again.',
  },
  serviceAccount: {
    ja: 'サービスアカウントのキー（JSON）を指定してください。',
    en: 'Specify the JSON key of a service account.',
  },
  pushCertificate: {
    ja: 'プッシュ通知用の証明書と、それに対応する秘密鍵を指定してください。',
    en: 'Specify a certificate for push notifications and the private key that belongs to it.',
  },
  samlMetadata: {
    ja: 'SAMLのIDプロバイダーのメタデータ（署名用証明書とサインオンのURLを含むXML、1 MiB以内）を指定してください。',
    en: 'Specify the metadata of one SAML identity provider: XML of at most 1 MiB with a signing certificate and a place to sign in at.',
  },
  metadataNotFetched: {
    ja: 'このアドレスからメタデータを取得できませんでした。',
    en: 'The metadata could not be fetched from this address.',
  },
  publicAddress: {
    ja: 'インターネット上のhttpsのアドレスを指定してください。',
    en: 'Specify an https address on the Internet.',
  },
  certificateOrApiKey: {
    ja: '証明書ファイルまたはAPIキーを指定してください。',
    en: 'Specify a certificate file or an API key.',
  },
  p12Extension: {
    ja: 'ファイルが正しくありません。.p12ファイルを指定してください。',
    en: 'Invalid file. Choose a .p12 file.',
  },
  invalidP12: {
    ja: 'p12ファイルではないか、RSA秘密鍵と証明書が1組だけ含まれていません。',
    en: 'It is no .p12 file, or does not hold exactly one RSA key with its certificate.',
  },
  wrongP12Password: {
    ja: 'p12ファイルのパスワードが正しくありません。',
    en: 'The password of the .p12 file is wrong.',
  },
  notUnique: { ja: 'すでに使用されています。', en: 'It is already in use.' },
  notFound: { ja: '見つかりません。', en: 'Not found.' },
  idempotencyKeyReused: {
    ja: '同じIdempotency-Keyが別の内容で使用されています。',
    en: 'The Idempotency-Key was used with another body.',
  },
} as const satisfies Record<string, Record<Language, string>>;

export type FieldMessageKey = keyof typeof fieldMessages;

/** One wrong field. `field` is the camelCase name, with dots for nesting; it becomes snake_case on the wire. */
export interface FieldError {
  readonly field: string;
  readonly message: FieldMessageKey;
  readonly params?: Readonly<Record<string, string | number>>;
}

export function isFieldMessageKey(value: string): value is FieldMessageKey {
  return Object.hasOwn(fieldMessages, value);
}

/** The text of a field message in `language`, with `{name}` filled from `params`. */
export function fieldMessage(
  key: FieldMessageKey,
  language: Language,
  params: Readonly<Record<string, string | number>> = {},
): string {
  return fieldMessages[key][language].replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''));
}
