interface ShownPush {
  readonly service: string;
  readonly token: string;
  readonly title: string | null;
  readonly message: string;
  readonly json: string | null;
  readonly receivedAt: string;
}

const style = `
  :root { color-scheme: light dark }
  body { max-width: 28rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 sans-serif }
  article { margin: 1rem 0; border: 1px solid #8888; border-radius: 16px; padding: .75rem 1rem }
  h1 { font-size: 1.5rem } h2 { font-size: 1rem; margin: 0 } p, pre { margin: 0; overflow-wrap: anywhere }
  p.message { white-space: pre-wrap }
  pre { font-size: .8rem; white-space: pre-wrap }
  footer { font-size: .8rem; opacity: .75; overflow-wrap: anywhere }
`;

/** The pushes as a page, as phones show them. */
export function pushboxPage(pushes: readonly ShownPush[]): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Push notifications</title>
<meta name="viewport" content="width=device-width"><style>${style}</style></head>
<body><main><h1>Push notifications</h1>
${pushes.length === 0 ? '<p>No push notification yet.</p>' : pushes.map(article).join('\n')}
</main></body></html>`;
}

function article({ json, message, receivedAt, service, title, token }: ShownPush): string {
  return `<article>${title === null ? '' : `<h2>${escapeHtml(title)}</h2>`}
<p class="message">${escapeHtml(message)}</p>${json === null ? '' : `<pre>${escapeHtml(json)}</pre>`}
<footer>${service}, <time datetime="${receivedAt}">${receivedAt}</time>, ${escapeHtml(token)}</footer></article>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
