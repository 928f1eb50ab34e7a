import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Product, startProduct } from '@portal/testing/product';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePackage } from '../support/files.ts';
import { demoPassword } from '../support/people.ts';
import { texts } from '../support/texts.ts';
import { browsers } from './browsers.ts';
import type { Tab } from './tab.ts';

const { auth, files, groups, shell, ui, userImport } = texts.ja;

/** A text with a number in it, as far as it goes before. */
const begun = (text: string) => `${text.split('{{')[0]}…`;

describe.for(Object.entries(browsers))('A company admin, in %s', ([browser, open]) => {
  let product: Product;
  let tab: Tab;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portal-browsers-'));
    product = await startProduct();
    tab = await open(product.url);
  });
  afterAll(async () => {
    await tab?.close();
    await product?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  test('signs in', async () => {
    await tab.open('/partner/login/?partner_code=1000');
    await tab.fill(auth.identifier, 'partner@example.com');
    await tab.fill(auth.password, demoPassword);
    await tab.press('button', auth.login);
    await tab.see('heading', shell.nav.home);
  });

  test('looks for a file', async () => {
    await tab.press('link', shell.nav.files);
    await tab.fill(files.searchFor, 'handbook');
    await tab.press('button', ui.find);
    await tab.miss('link', 'Product tour');
    await tab.see('link', 'Company handbook');
  });

  test('publishes a file to a group, and goes on working meanwhile', async () => {
    const { path } = await makePackage(folder, 'journey.uap', 3_000_000);
    await tab.open('/partner/files');
    await tab.press('link', files.create);
    await tab.attach(path);
    await tab.choose('radio', `${files.assignPage.kinds.groups}…`);
    await tab.choose('checkbox', 'Sales…');
    await tab.press('button', ui.toConfirm);
    await tab.see('heading', files.confirm);
    await tab.press('button', files.submitCreate);
    // The page that tells of it comes first, or it would come over the next one.
    await tab.see('link', files.toList);
    await tab.press('link', shell.nav.groups);
    await tab.see('heading', groups.title);
    await tab.see('text', files.uploads.delivered);
  });

  test('delivers a file to everybody', async () => {
    await tab.press('link', shell.nav.files);
    await tab.press('link', 'journey');
    await tab.press('link', files.assign);
    await tab.choose('radio', `${files.assignPage.kinds.everyone}…`);
    await tab.press('button', files.assignPage.submit);
    await tab.press('button', files.assignPage.apply);
    await tab.see('heading', `${files.title}…`);
  });

  test('imports users with a look at what will change', async () => {
    const path = join(folder, 'users.csv');
    const header = 'name,email,login_user_id,password,json,group_ids,delete_flag';
    const rows = Array.from({ length: 50 }, (_, i) => `${browser} ${i},new-${i}@example.com,,,,,0`);
    await writeFile(path, [header, ...rows, ',,jiro,,,,1', ''].join('\r\n'));
    await tab.press('link', shell.nav.users);
    await tab.press('link', userImport.open);
    await tab.attach(path);
    await tab.see('text', begun(userImport.checkedLocally));
    await tab.press('button', ui.toConfirm);
    await tab.see('text', userImport.confirmLead);
    await tab.see('text', `${browser} 0`);
    await tab.press('button', begun(userImport.deleted));
    await tab.choose('checkbox', userImport.acceptDeletion_other.replace('{{count, number}}', '1'));
    await tab.press('button', userImport.submit);
    await tab.see('text', userImport.done);
  });

  test('exports users', async () => {
    await tab.press('link', shell.nav.users);
    await tab.press('button', ui.csv);
    await tab.see('text', begun(ui.csvComplete_other));
  });

  test('works on a phone', async () => {
    await tab.resize(390);
    await tab.open('/partner/files');
    await tab.see('link', 'Company handbook');
    expect(await tab.overflow()).toBeLessThanOrEqual(0);
  });
});
