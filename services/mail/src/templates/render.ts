import type { Language } from '@portal/contracts';
import type { MailContent } from '@portal/contracts/internal';
import { escapeHtml } from './escape.ts';
import { textsOf } from './texts.ts';

const products: Readonly<Record<Language, string>> = { ja: '配信ポータル', en: 'Haishin Portal' };

interface Rendered {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A mail in plain text and in HTML, which say the same. */
export function render(
  content: MailContent,
  about: { readonly language: Language; readonly company: string | null; readonly publicUrl: string },
): Rendered {
  const { company, language, publicUrl } = about;
  const { action, after, before, greeting, signature, subject } = textsOf(content.template, language);
  const product = products[language];
  const sender = company === null ? product : `${company} (${product})`;
  const link = publicUrl + linkOf(content);
  return {
    subject: `[${company ?? product}] ${subject}`,
    text: [
      greeting(content.name),
      before.join('\n'),
      `${action}:\n${link}`,
      after.join('\n'),
      `-- \n${sender}\n${signature}\n`,
    ].join('\n\n'),
    html: page(language, subject, [
      paragraph([greeting(content.name)]),
      paragraph(before),
      `<p style="margin:24px 0"><a href="${escapeHtml(link)}" target="_blank" style="${buttonStyle}">${escapeHtml(action)}</a></p>`,
      paragraph(after),
      `<p style="${footerStyle}">${escapeHtml(sender)}<br>${escapeHtml(signature)}</p>`,
    ]),
  };
}

function linkOf(content: MailContent): string {
  const query = new URLSearchParams({ reset_token: content.token });
  switch (content.template) {
    case 'passwordReset':
      return `/${content.area}/password/reset?${query}`;
    case 'passwordInit':
      return `/user/password/init?${query}`;
  }
}

// Mail programs know styles of elements alone.
const bodyStyle = 'margin:0;padding:24px;background:#f4f5f7;color:#1a202c;font:16px/1.6 sans-serif';
const sheetStyle = 'max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px';
const buttonStyle =
  'display:inline-block;padding:12px 24px;background:#1d4ed8;color:#ffffff;border-radius:6px;text-decoration:none;font-weight:bold';
const footerStyle =
  'margin:32px 0 0;padding-top:16px;border-top:1px solid #cbd5e0;color:#4a5568;font-size:13px';

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
