import { HtmlPage } from '@portal/service-kit';
import type { Outgoing } from '../../saml/messages.ts';

const script = 'document.forms[0].submit()';

/** What a browser is answered that takes a message to a provider: an address to go to, or a page that posts it at once. */
export function replyOf(outgoing: Outgoing): string | HtmlPage {
  if (outgoing.kind === 'redirect') return outgoing.url;
  const fields = Object.entries(outgoing.fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  );
  const html = `<!doctype html>
<html lang="ja"><head><meta charset="utf-8"><title>SSO</title><meta name="viewport" content="width=device-width"></head>
<body><form method="post" action="${escapeHtml(outgoing.url)}">${fields.join('')}
<noscript><p>続けるにはボタンを押してください。 <span lang="en">Press the button to continue.</span></p>
<button>続ける / Continue</button></noscript></form><script>${script}</script></body></html>`;
  return new HtmlPage(html, { script, formTo: new URL(outgoing.url).origin });
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (one) => entities[one] ?? one);
