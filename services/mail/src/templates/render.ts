import type { Language } from '@portal/contracts';
import type { MailContent } from '@portal/contracts/internal';
import { escapeHtml } from './escape.ts';
import { oneLine } from './one-line.ts';
import { textsOf } from './texts.ts';

const products: Readonly<Record<Language, string>> = { ja: '配信ポータル', en: 'Haishin Portal' };

interface Rendered {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A mail in plain text and in HTML, which say the same; in both languages, one after the other, where nobody knows the reader's. */
export function render(
  content: MailContent,
  about: { readonly language: Language; readonly company: string | null; readonly publicUrl: string },
): Rendered {
  const { language, publicUrl } = about;
  // Whoever signs up has chosen the company's name, and an address that may be another's.
  const isStranger = content.template === 'signUpActivation' || content.template === 'signUpPassword';
  const company = about.company === null || isStranger ? null : oneLine(about.company);
  const path = pathOf(content);
  const address = path === null ? null : publicUrl + path;
  const parts = languagesOf(content, language).map((one) => partOf(content, one, { address, company }));
  const subject = parts.map((part) => part.subject).join(' / ');
  // Mail programs take what follows the first signature for a part of it.
  const signatures = parts.map(({ signature }) => `${signature.join('\n')}\n`).join('\n');
  return {
    subject: `[${company ?? products[language]}] ${subject}`,
    text: [...parts.flatMap(({ text }) => text), `-- \n${signatures}`].join('\n\n'),
    html: page(language, subject, [
      ...parts.flatMap(({ html }) => html),
      ...parts.map(
        ({ signature }) => `<p style="${footerStyle}">${signature.map(escapeHtml).join('<br>')}</p>`,
      ),
    ]),
  };
}

/** An administrator's language is not known: what the product keeps of their choices is theirs alone. */
function languagesOf(content: MailContent, language: Language): readonly Language[] {
  return content.template === 'rolloutHalted' && content.ofApplication ? ['ja', 'en'] : [language];
}

/** What a mail says in one language. */
function partOf(
  content: MailContent,
  language: Language,
  { address, company }: { readonly address: string | null; readonly company: string | null },
): Record<'text' | 'html' | 'signature', readonly string[]> & { readonly subject: string } {
  const { action, after, before, greeting, signature, subject } = textsOf(content, language);
  const hello = greeting(oneLine(content.name));
  const product = products[language];
  const sender = company === null ? product : `${company} (${product})`;
  const link = address === null || action === undefined ? null : { address, action };
  return {
    subject,
    text: [hello, before.join('\n'), ...(link ? [`${link.action}:\n${link.address}`] : []), after.join('\n')],
    html: [paragraph([hello]), paragraph(before), ...(link ? [button(link)] : []), paragraph(after)],
    signature: [sender, signature],
  };
}

/** Where the link of a mail leads; null for one without. */
function pathOf(content: MailContent): string | null {
  switch (content.template) {
    case 'passwordReset':
      return `/${content.area}/password/reset?${tokenQuery(content.token)}`;
    case 'passwordInit':
      return `/user/password/init?${tokenQuery(content.token)}`;
    case 'signUpPassword':
      return `/partner/password/init?${tokenQuery(content.token)}`;
    case 'signUpActivation':
      return `/signup/activate?${new URLSearchParams({ token: content.token })}`;
    case 'approvalRequested':
      return `/partner/approvals/detail?id=${content.approvalId}`;
    case 'rolloutHalted':
      return content.ofApplication
        ? `/admin/applications/detail?id=${content.fileId}`
        : `/partner/files/detail?id=${content.fileId}`;
    case 'passwordChanged':
    case 'twoFactorOn':
    case 'twoFactorOff':
    case 'twoFactorRemoved':
    case 'fileDelivered':
    case 'licenceEnding':
    case 'newDevice':
      return null;
  }
}

function tokenQuery(token: string): URLSearchParams {
  return new URLSearchParams({ reset_token: token });
}

// Mail programs know styles of elements alone.
const bodyStyle = 'margin:0;padding:24px;background:#f4f5f7;color:#1a202c;font:16px/1.6 sans-serif';
const sheetStyle = 'max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px';
const buttonStyle =
  'display:inline-block;padding:12px 24px;background:#1d4ed8;color:#ffffff;border-radius:6px;text-decoration:none;font-weight:bold';
const footerStyle =
  'margin:32px 0 0;padding-top:16px;border-top:1px solid #cbd5e0;color:#4a5568;font-size:13px';

function button({ action, address }: { readonly action: string; readonly address: string }): string {
  return `<p style="margin:24px 0"><a href="${escapeHtml(address)}" target="_blank" style="${buttonStyle}">${escapeHtml(action)}</a></p>`;
}

function paragraph(lines: readonly string[]): string {
  return `<p style="margin:16px 0">${lines.map(escapeHtml).join('<br>')}</p>`;
}

function page(language: Language, title: string, parts: readonly string[]): string {
  return [
    '<!doctype html>',
    `<html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>`,
    '<meta name="viewport" content="width=device-width"></head>',
    `<body style="${bodyStyle}"><div style="${sheetStyle}">`,
    ...parts,
    '</div></body></html>',
  ].join('\n');
}
