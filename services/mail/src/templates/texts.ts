import type { Language } from '@portal/contracts';
import type { MailContent } from '@portal/contracts/internal';

/** What a mail says, around its one link. */
interface Texts {
  readonly subject: string;
  readonly greeting: (name: string) => string;
  readonly before: readonly string[];
  readonly action: string;
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
    signature: 'This mail was sent automatically. Answers to it are not read.',
  },
} as const;

const validity = {
  ja: 'このリンクは24時間有効で、1回だけ使用できます。新しいメールが届いた場合は、新しいリンクだけが有効です。',
  en: 'The link is valid for 24 hours and can be used once. If you get another mail, only its link is valid.',
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
      before: ['We were asked to reset your password.', 'Choose a new one by this link.'],
      action: 'Reset the password',
      after: [validity.en, 'If you did not ask for this, ignore this mail. Your password stays as it is.'],
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
      before: ['An account was made for you.', 'Choose your password by this link.'],
      action: 'Choose a password',
      after: [validity.en, 'When it is over, ask for a new mail on the page for forgotten passwords.'],
    },
  },
} as const satisfies Record<MailContent['template'], Record<Language, Texts>>;

export function textsOf(template: MailContent['template'], language: Language): Texts {
  return texts[template][language];
}
