import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

const linkIn = /https?:\/\/\S+reset_token=\S+/;

/** The mails with a link to an address, newest first: notices come in between. */
export async function mailsTo(page: Page, to: string): Promise<Mail[]> {
  const reply = await page.request.get(`/dev/mailbox?to=${encodeURIComponent(to)}`);
  expect(reply.status()).toBe(200);
  const { mails } = (await reply.json()) as { mails: Mail[] };
  return mails.filter(({ text }) => linkIn.test(text));
}

/** The path that the newest mail to an address leads to, once there is one more than `known`. */
export async function newestLink(page: Page, to: string, known = 0): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(
      async () => {
        const mails = await mailsTo(page, to);
        link = linkIn.exec(mails[0]?.text ?? '')?.[0];
        return mails.length;
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(known);
  if (link === undefined) throw new Error(`The newest mail to ${to} has no link`);
  const { pathname, search } = new URL(link);
  return pathname + search;
}
