import type { Language } from '@portal/contracts';
import type { MailContent } from '@portal/contracts/internal';
import { oneLine } from './one-line.ts';

/** What a mail says, around its link where it has one. */
interface Texts {
  readonly subject: string;
  readonly greeting: (name: string) => string;
  readonly before: readonly string[];
  readonly action?: string;
  readonly after: readonly string[];
  readonly signature: string;
}

const shared = {
  ja: {
    greeting: (name: string) => `${name} 様`,
    signature: 'このメールは送信専用です。返信いただいてもお答えできません。',
  },
  en: {
    greeting: (name: string) => `Dear ${name},`,
    signature: 'This email was sent automatically. Replies to it are not read.',
  },
} as const;

const validity = {
  ja: 'このリンクは24時間有効で、1回だけ使用できます。新しいメールが届いた場合は、新しいリンクだけが有効です。',
  en: 'The link is valid for 24 hours and can be used once. If you receive another email, only its link is valid.',
} as const;

const signUpValidity = {
  ja: 'このリンクは24時間有効で、1回だけ使用できます。',
  en: 'The link is valid for 24 hours and can be used once.',
} as const;

const notAsked = {
  ja: 'お心当たりがない場合は、このメールを破棄してください。お申し込みは7日後に削除されます。',
  en: 'If you did not sign up, ignore this email. The sign-up is deleted after 7 days.',
} as const;

const texts = {
  passwordReset: {
    ja: {
      ...shared.ja,
      subject: 'パスワードの再設定',
      before: ['パスワードの再設定を受け付けました。', '次のリンクから新しいパスワードを設定してください。'],
      action: 'パスワードを再設定する',
      after: [
        validity.ja,
        'お心当たりがない場合は、このメールを破棄してください。パスワードは変更されません。',
      ],
    },
    en: {
      ...shared.en,
      subject: 'Reset your password',
      before: ['We received a request to reset your password.', 'Follow this link to choose a new one.'],
      action: 'Reset the password',
      after: [validity.en, 'If you did not ask for this, ignore this email. Your password stays as it is.'],
    },
  },
  passwordInit: {
    ja: {
      ...shared.ja,
      subject: 'アカウント登録のお知らせとパスワードの設定',
      before: ['アカウントが登録されました。', '次のリンクからパスワードを設定してください。'],
      action: 'パスワードを設定する',
      after: [validity.ja, '期限が切れた場合は、パスワード再設定の画面から新しいメールを請求してください。'],
    },
    en: {
      ...shared.en,
      subject: 'Your account is ready: choose your password',
      before: ['An account has been created for you.', 'Follow this link to choose your password.'],
      action: 'Choose a password',
      after: [validity.en, 'If it has expired, ask for a new email on the page for forgotten passwords.'],
    },
  },
  signUpPassword: {
    ja: {
      ...shared.ja,
      subject: 'お申し込みの確認とパスワードの設定',
      before: [
        'お申し込みありがとうございます。',
        '次のリンクからパスワードを設定すると、すぐにご利用いただけます。',
      ],
      action: 'パスワードを設定して始める',
      after: [signUpValidity.ja, notAsked.ja],
    },
    en: {
      ...shared.en,
      subject: 'Confirm your sign-up: choose your password',
      before: ['Thank you for signing up.', 'Follow this link to choose a password and start.'],
      action: 'Choose a password and start',
      after: [signUpValidity.en, notAsked.en],
    },
  },
  signUpActivation: {
    ja: {
      ...shared.ja,
      subject: 'トライアルお申し込みの確認',
      before: [
        'トライアルのお申し込みありがとうございます。',
        '次のリンクを開くと、すぐにご利用いただけます。',
      ],
      action: 'トライアルを始める',
      after: [signUpValidity.ja, notAsked.ja],
    },
    en: {
      ...shared.en,
      subject: 'Confirm your sign-up for a trial',
      before: ['Thank you for signing up for a trial.', 'Follow this link to start it.'],
      action: 'Start the trial',
      after: [signUpValidity.en, notAsked.en],
    },
  },
  passwordChanged: {
    ja: {
      ...shared.ja,
      subject: 'パスワードが変更されました',
      before: ['アカウントのパスワードが変更されました。'],
      after: [
        'お心当たりがない場合は、ログイン画面の「パスワードをお忘れの方」からすぐにパスワードを再設定し、管理者に連絡してください。',
      ],
    },
    en: {
      ...shared.en,
      subject: 'Your password was changed',
      before: ['The password of your account was changed.'],
      after: [
        'If this was neither you nor your administrator, reset the password on the sign-in page at once and tell your administrator.',
      ],
    },
  },
  twoFactorOn: {
    ja: {
      ...shared.ja,
      subject: '2段階認証が有効になりました',
      before: [
        'アカウントの2段階認証が有効になりました。',
        '次回のログインから、パスワードに加えて確認コードの入力が必要です。ほかの端末のログインはすべて終了しました。',
      ],
      after: ['お心当たりがない場合は、すぐに管理者に連絡し、パスワードを再設定してください。'],
    },
    en: {
      ...shared.en,
      subject: 'Two-factor sign-in is on',
      before: [
        'Two-factor sign-in was turned on for your account.',
        'From now on you sign in with your password and a verification code. All your other sessions have ended.',
      ],
      after: ['If this was not you, tell your administrator and reset your password at once.'],
    },
  },
  twoFactorOff: {
    ja: {
      ...shared.ja,
      subject: '2段階認証が無効になりました',
      before: [
        'アカウントの2段階認証が無効になりました。',
        '次回からパスワードだけでログインできます。ほかの端末のログインはすべて終了しました。',
      ],
      after: ['お心当たりがない場合は、すぐに管理者に連絡し、パスワードを再設定してください。'],
    },
    en: {
      ...shared.en,
      subject: 'Two-factor sign-in is off',
      before: [
        'Two-factor sign-in was turned off for your account.',
        'From now on you sign in with your password alone. All your other sessions have ended.',
      ],
      after: ['If this was not you, tell your administrator and reset your password at once.'],
    },
  },
  twoFactorRemoved: {
    ja: {
      ...shared.ja,
      subject: '2段階認証が管理者によって解除されました',
      before: [
        '管理者がアカウントの2段階認証を解除しました。ログインはすべて終了しました。',
        'パスワードでログインし、2段階認証をもう一度設定してください。',
      ],
      after: ['解除を依頼していない場合は、すぐに管理者に連絡してください。'],
    },
    en: {
      ...shared.en,
      subject: 'An administrator removed your two-factor sign-in',
      before: [
        'An administrator removed the two-factor sign-in of your account. All your sessions have ended.',
        'Sign in with your password and set it up again.',
      ],
      after: ['If you did not ask for this, tell your administrator at once.'],
    },
  },
  fileDelivered: {
    ja: {
      ...shared.ja,
      subject: '新しいファイルが届きました',
      before: ['新しいファイルが利用できるようになりました。'],
      after: ['アプリを開いてご利用ください。'],
    },
    en: {
      ...shared.en,
      subject: 'A new file is ready for you',
      before: ['A new file is available to you.'],
      after: ['Open the app to get it.'],
    },
  },
  approvalRequested: {
    ja: {
      ...shared.ja,
      subject: '配信の変更の承認依頼',
      before: ['配信の変更が承認を待っています。'],
      action: '内容を確認する',
      after: ['7日以内に承認または却下されない場合、変更は反映されません。'],
    },
    en: {
      ...shared.en,
      subject: 'A change waits for your approval',
      before: ['A change of what people get waits for the approval of an administrator.'],
      action: 'See the change',
      after: ['If nobody decides within 7 days, it is not made.'],
    },
  },
  rolloutHalted: {
    ja: {
      ...shared.ja,
      subject: '段階配信が停止しました',
      before: ['段階配信が停止しました。'],
      action: '配信の状況を確認する',
      after: [
        'このバージョンを新たに受け取る端末はありません。インストールしていない端末には、1つ前のバージョンが配信されます。',
        '再開、中止、または以前のバージョンの復元を選択してください。',
      ],
    },
    en: {
      ...shared.en,
      subject: 'A rollout was halted',
      before: ['The stages in which a version goes out were halted.'],
      action: 'See the delivery',
      after: [
        'No further device gets this version, and those that have not installed it get the version before.',
        'Resume it, cancel it, or put the version before back.',
      ],
    },
  },
  licenceEnding: {
    ja: {
      ...shared.ja,
      // Who is in charge of a company is known by the address alone.
      greeting: (name: string) => (name === '' ? 'ご担当者様' : shared.ja.greeting(name)),
      subject: 'まもなく契約が終了します',
      before: ['企業の契約がまもなく終了します。'],
      after: [
        '終了日時の1日後から、ログインやファイルの配信ができなくなります。登録済みのデータは削除されません。',
        '継続をご希望の場合は、終了日までに契約を更新してください。',
      ],
    },
    en: {
      ...shared.en,
      greeting: (name: string) => (name === '' ? 'Hello,' : shared.en.greeting(name)),
      subject: 'The contract ends soon',
      before: ['The contract of a company ends soon.'],
      after: [
        'One day after that, nobody of the company can sign in and no files are delivered. Nothing that is stored is deleted.',
        'To go on, extend the contract before it ends.',
      ],
    },
  },
  newDevice: {
    ja: {
      ...shared.ja,
      subject: '新しい端末からのログイン',
      before: ['これまでに使われていない端末または場所からログインがありました。'],
      after: [
        'お心当たりがない場合は、すぐにパスワードを変更してください。ほかのログインはすべて終了します。',
      ],
    },
    en: {
      ...shared.en,
      subject: 'New sign-in to your account',
      before: ['Somebody signed in to your account from a device or a place that was not used lately.'],
      after: ['If this was not you, change your password at once: that ends all other sessions.'],
    },
  },
} as const satisfies Record<MailContent['template'], Record<Language, Texts>>;

export function textsOf(content: MailContent, language: Language): Texts {
  const said = texts[content.template][language];
  return { ...said, before: [...said.before, ...factsOf(content, language)] };
}

/** What is known of the one case at hand. */
function factsOf(content: MailContent, language: Language): string[] {
  switch (content.template) {
    case 'newDevice':
      return signInFacts(content, language);
    case 'fileDelivered': {
      const name = oneLine(content.fileName);
      return [language === 'ja' ? `ファイル: ${name}` : `File: ${name}`];
    }
    case 'approvalRequested':
      return approvalFacts(content, language);
    case 'rolloutHalted':
      return haltFacts(content, language);
    case 'licenceEnding':
      return licenceFacts(content, language);
    case 'signUpActivation':
      return [language === 'ja' ? `企業ID: ${content.partnerCode}` : `Company ID: ${content.partnerCode}`];
    default:
      return [];
  }
}

/** Of which file the change is, and who asks for it. */
function approvalFacts(
  { by, fileName }: Extract<MailContent, { template: 'approvalRequested' }>,
  language: Language,
): string[] {
  const who = oneLine(by);
  const name = fileName === null ? null : oneLine(fileName);
  if (language === 'ja')
    return [name === null ? '内容: 承認の無効化' : `ファイル: ${name}`, `依頼者: ${who}`];
  return [name === null ? 'Change: approvals are turned off' : `File: ${name}`, `Asked by: ${who}`];
}

/** Which version was halted, and what its devices reported. */
function haltFacts(
  {
    byHand,
    failures,
    fileName,
    ofApplication,
    reports,
    version,
  }: Extract<MailContent, { template: 'rolloutHalted' }>,
  language: Language,
): string[] {
  const name = oneLine(fileName);
  return language === 'ja'
    ? [
        `${ofApplication ? 'アプリケーション' : 'ファイル'}: ${name}`,
        `バージョン: ${version}`,
        `停止の理由: ${byHand ? '管理者の操作' : '失敗の上限に達したため'}`,
        `報告: ${reports}台（うち失敗 ${failures}台）`,
      ]
    : [
        `${ofApplication ? 'Application' : 'File'}: ${name}`,
        `Version: ${version}`,
        `Halted by: ${byHand ? 'an administrator' : 'the limit of its failures'}`,
        `Reports: ${reports} ${reports === 1 ? 'device' : 'devices'}, ${failures} failed`,
      ];
}

/** Whose licence ends, when, and how many days are left. */
function licenceFacts(
  { company, days, licenseExpiredOn, timeZone }: Extract<MailContent, { template: 'licenceEnding' }>,
  language: Language,
): string[] {
  const end = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(
    new Date(licenseExpiredOn),
  );
  const name = oneLine(company);
  if (language === 'ja') return [`企業: ${name}`, `終了日時: ${end}（${timeZone}）`, `残り: ${days}日`];
  return [`Company: ${name}`, `End: ${end} (${timeZone})`, `Left: ${days} ${days === 1 ? 'day' : 'days'}`];
}

const zones = {
  ja: { timeZone: 'Asia/Tokyo', name: '日本時間' },
  en: { timeZone: 'UTC', name: 'UTC' },
} as const satisfies Record<Language, object>;

/** When and from what somebody signed in. */
function signInFacts(
  { address, at, browser, system }: Extract<MailContent, { template: 'newDevice' }>,
  language: Language,
): string[] {
  const { name, timeZone } = zones[language];
  const time = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(
    new Date(at),
  );
  const device = [browser, system].filter((part) => part !== null).join(', ');
  return language === 'ja'
    ? [`日時: ${time}（${name}）`, `端末: ${device || '不明'}`, `IPアドレス: ${address}`]
    : [`Time: ${time} ${name}`, `Device: ${device || 'unknown'}`, `IP address: ${address}`];
}
