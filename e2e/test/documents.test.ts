import { readFile } from 'node:fs/promises';
import { databaseRoutes } from '@portal/contracts';
import { send, signIn, signInAdmin as signInAdminByCall } from '@portal/testing/http-client';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { isDistributed } from '../support/host.ts';
import { signInAdmin, signInPartner } from '../support/people.ts';
import { portalForSpec } from '../support/spec.ts';
import { texts } from '../support/texts.ts';

/** An administrator opens a database for a company; its admin fills it, finds, changes and exports; the operator sees the use. */

const { databases, documents, shell, ui } = texts.ja;
const portal = portalForSpec();
const company = 'Demo Corporation';
/** The engine of tests in MongoDB's place looks through all documents for each list. */
const count = isDistributed ? 2_000 : 100_000;
/** Three of the documents have another status. */
const third = Math.ceil(count / 3);
const lost = [7, third + 7, 2 * third + 7].map((number) => `order-${number}`);
const leastBytes = 10 * count;
/** An import of so many on a machine that does other things too. */
const patience = 150_000;

let admin: Page;
let partner: Page;

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
/** By what the button shows: the cross in a corner has the same name. */
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).filter({ hasText: name }).click();
const filled = (text: string, values: Record<string, string | number>) =>
  text.replace(/\{\{(\w+)(?:, number)?\}\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? value.toLocaleString('ja-JP') : value;
  });

/** Writes into an editor of code, as people do. */
async function write(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: label }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

async function find(page: Page, filter: string): Promise<void> {
  await write(page, documents.filter.label, filter);
  await page.getByRole('button', { name: documents.filter.apply, exact: true }).click();
}

const lines = () =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      _id: `order-${index}`,
      number: index,
      status: index % third === 7 ? 'lost' : 'paid',
      customer: { city: '東京' },
    }),
  ).join('\n');

test('An administrator opens a trial database for a company', async () => {
  admin = await portal.open();
  await signInAdmin(admin);
  await admin.getByRole('navigation').getByRole('link', { name: shell.nav.databases }).click();
  await admin.getByRole('link', { name: databases.create }).first().click();
  await admin.getByRole('combobox').fill('Demo');
  await admin.getByRole('option', { name: company }).click();
  await press(admin, ui.toConfirm);
  await press(admin, ui.create);
  await admin.getByText(filled(databases.created, { name: company })).waitFor();
});

test('The admin of the company makes a collection and imports many documents with progress', {
  timeout: patience + 60_000,
}, async () => {
  partner = await portal.open();
  await signInPartner(partner);
  await partner.getByRole('navigation').getByRole('link', { name: shell.nav.documents }).click();
  await partner.getByRole('heading', { level: 1, name: documents.title }).waitFor();
  await partner.getByRole('button', { name: documents.newCollection }).first().click();
  await partner.getByRole('textbox', { name: documents.collectionName }).fill('orders');
  await inDialog(partner, ui.create);
  await partner.getByText(documents.emptyTitle).waitFor();

  await partner.getByRole('button', { name: documents.import.button, exact: true }).first().click();
  const name = 'orders.jsonl';
  const file = { name, mimeType: 'application/x-ndjson', buffer: Buffer.from(`${lines()}\n{"broken\n`) };
  await partner.locator('input[type=file]').setInputFiles(file);
  await inDialog(partner, documents.import.start);
  await partner.getByRole('progressbar', { name: documents.import.progress }).waitFor();
  await partner
    .getByText(filled(documents.import.done_other, { count }))
    .first()
    .waitFor({ timeout: patience });
  await partner
    .getByRole('region', { name: documents.import.lineErrors })
    .getByText((count + 1).toLocaleString('ja-JP'))
    .waitFor();
  await inDialog(partner, ui.close);
  await partner.getByText(filled(ui.range, { total: count, from: 1, to: 50 })).waitFor();
});

test('A filter finds three of them, with the field from the suggestions; a wrong one tells what is wrong', async () => {
  await partner.getByRole('textbox', { name: documents.filter.label }).click();
  await partner.keyboard.type('stat');
  await partner.getByRole('option', { name: /^status/ }).waitFor();
  // Suggestions that have only just come up take no key, lest somebody chooses one by mistake.
  await partner.waitForTimeout(200);
  await partner.keyboard.press('Enter');
  await partner.keyboard.insertText('"lost"');
  await partner.keyboard.press('Escape');
  await press(partner, documents.filter.apply);
  await partner.getByText(filled(ui.range, { total: 3, from: 1, to: 3 })).waitFor();
  expect(await partner.locator('tbody th').allTextContents()).toEqual(lost.toSorted());

  await find(partner, '{ status: { $where: "1" } }');
  await partner.getByText(filled(documents.filter.faults.operator, { name: '$where' })).waitFor();
  await find(partner, '{ status: "lost" }');
  await partner.getByText(filled(ui.range, { total: 3, from: 1, to: 3 })).waitFor();
});

test('One is edited while somebody else edits it: both versions are shown, and both changes stay', async () => {
  const token = await signIn(portal, '1000', 'partner@example.com');
  const { body } = await send(portal, 'GET', '/api/v2/database', { token });
  const path = `/api/v2/${String(body['db'])}/collection/orders/documents/order-7`;

  await partner.getByRole('button', { name: 'order-7', exact: true }).click();
  const mine = { _id: 'order-7', number: 7, status: 'found', customer: { city: '東京' } };
  await write(partner, documents.editTitle, JSON.stringify(mine));
  await inDialog(partner, documents.toReview);
  await partner.getByText(documents.reviewLead).waitFor();
  const theirs = { number: 7, status: 'lost', customer: { city: '大阪' } };
  expect((await send(portal, 'PUT', path, { token, body: theirs })).status).toBe(200);
  await inDialog(partner, ui.save);

  await partner.getByRole('dialog', { name: documents.conflict.title }).waitFor();
  await partner.getByRole('dialog').getByText('"大阪"').first().waitFor();
  await inDialog(partner, documents.conflict.takeBoth);
  await inDialog(partner, documents.toReview);
  await inDialog(partner, ui.save);
  await partner.getByText(filled(documents.saved, { id: 'order-7' })).waitFor();
  const reply = await send(portal, 'GET', path, { token });
  expect(reply.body).toMatchObject({ status: 'found', customer: { city: '大阪' } });
});

test('All are exported, as they can be imported again', { timeout: patience + 60_000 }, async () => {
  await press(partner, documents.filter.reset);
  await partner.getByText(filled(ui.range, { total: count, from: 1, to: 50 })).waitFor();
  await press(partner, documents.export.button);
  const [download] = await Promise.all([
    partner.waitForEvent('download', { timeout: patience }),
    inDialog(partner, documents.export.start),
  ]);
  expect(download.suggestedFilename()).toBe('orders.jsonl');
  const exported = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n');
  expect(exported).toHaveLength(count);
  expect(new Set(exported.map((line) => (JSON.parse(line) as { _id: string })._id)).size).toBe(count);
});

test('All that match are deleted once the name of the collection is typed', async () => {
  await find(partner, `{ number: { $gte: ${count - 10} } }`);
  await partner.getByText(filled(ui.range, { total: 10, from: 1, to: 10 })).waitFor();
  await press(partner, ui.moreActions);
  await press(partner, documents.deleteMatching);
  await partner.getByRole('dialog').getByRole('textbox').fill('orders');
  await inDialog(partner, ui.delete);
  await partner.getByText(filled(documents.deleted_other, { count: 10 })).waitFor();
});

test('The operator sees the use', { timeout: 150_000 }, async () => {
  const token = await signInAdminByCall(portal);
  const use = async () => {
    const { body } = await send(portal, 'GET', '/api/v2/admin/databases/1', { token });
    const { documentCount, usageBytes } = databaseRoutes.getDatabase.response.parse(body);
    return usageBytes > leastBytes ? documentCount : 0;
  };
  // It follows within a minute.
  await expect.poll(use, { timeout: 90_000, interval: 2_000 }).toBe(count - 10);
  await admin.goto('/admin/databases');
  const meter = admin.getByRole('meter', { name: documents.usage });
  await expect
    .poll(async () => Number(await meter.getAttribute('aria-valuenow')))
    .toBeGreaterThan(leastBytes);
});

test('With the key the editor opens without a session, and the key is nowhere in the address', async () => {
  const token = await signInAdminByCall(portal);
  const { body } = await send(portal, 'GET', '/api/v2/admin/databases/1', { token });
  const { errors, page } = await portal.visit({ language: 'en' });
  await page.goto(`/collections?api_key=${String(body['apiKey'])}&partner_id=1`);
  await page.getByRole('link', { name: /orders/ }).click();
  await page.getByRole('table').waitFor();
  expect(page.url()).toBe(`${portal.url}/collections?name=orders`);

  // Another key: the page goes on with it, and the old one opens nothing any more.
  await page.goto('/collections');
  await press(page, texts.en.documents.key.renew);
  await inDialog(page, texts.en.documents.key.renew);
  await page.getByText(texts.en.documents.key.renewed).waitFor();
  await page.getByRole('link', { name: /orders/ }).click();
  await page.getByRole('table').waitFor();
  expect(errors).toEqual([]);
  const old = await portal.open({ language: 'en' });
  await old.goto(`/collections?api_key=${String(body['apiKey'])}&partner_id=1`);
  await old.getByText(texts.en.documents.keyStopped).waitFor();
});

test('The administrator deletes the database by the name of the company', async () => {
  await admin.goto('/admin/databases');
  await admin.getByRole('button', { name: `${ui.delete}: ${company}` }).click();
  await admin.getByRole('dialog').getByRole('textbox').fill(company);
  await inDialog(admin, databases.delete);
  await admin.getByText(filled(databases.deleted, { name: company })).waitFor();
  await partner.goto('/collections');
  await partner.getByText(documents.noDatabase).waitFor();
});
