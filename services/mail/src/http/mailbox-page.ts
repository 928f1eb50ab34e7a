import { escapeHtml } from '../templates/escape.ts';

interface ShownMail {
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly html: string;
  readonly sentAt: string;
}

const style = `
  :root { color-scheme: light dark }
  body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 sans-serif }
  article { margin: 1.5rem 0; border: 1px solid #8888; border-radius: 8px; overflow: hidden }
  header { padding: .5rem 1rem }
  h1 { font-size: 1.5rem } h2 { font-size: 1rem; margin: 0 } p { margin: 0; overflow-wrap: anywhere }
  iframe { width: 100%; height: 32rem; border: 0; background: #fff }
`;

/** The mails as a page; each is shown in a frame where nothing of it runs. */
export function mailboxPage(mails: readonly ShownMail[]): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Mailbox</title>
<meta name="viewport" content="width=device-width"><style>${style}</style></head>
<body><main><h1>Mailbox</h1>
${mails.length === 0 ? '<p>No mail yet.</p>' : mails.map(article).join('\n')}
</main></body></html>`;
}

function article({ from, html, sentAt, subject, to }: ShownMail): string {
  return `<article><header><h2>${escapeHtml(subject)}</h2>
<p>To ${escapeHtml(to)}, from ${escapeHtml(from)}, <time datetime="${sentAt}">${sentAt}</time></p></header>
<iframe title="${escapeHtml(subject)}" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escapeHtml(html)}"></iframe></article>`;
}
