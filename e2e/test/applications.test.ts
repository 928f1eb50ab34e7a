import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Language } from '@portal/contracts';
import { signInAdmin as adminToken, send, signIn } from '@portal/testing/http-client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { makePackage } from '../support/files.ts';
import { signInAdmin, signInPartner } from '../support/people.ts';
import { portalForSpec } from '../support/spec.ts';
import { texts } from '../support/texts.ts';

/** The operator publishes to one unit: everyone there has it on the player, nobody else. */

const portal = portalForSpec();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-applications-'));
  const token = await adminToken(portal);
  const { body } = await send(portal, 'GET', '/v1/admin/outsourcing/units?q=Other%20unit', { token });
  const [unit] = body['units'] as { unitId: number }[];
  const path = `/v1/admin/outsourcing/units/${unit?.unitId}`;
  const allowed = await send(portal, 'PUT', path, { token, body: { can_force_distribute_app: true } });
  expect(allowed.status).toBe(200);
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

/** The names of all that a player gets. */
async function delivered(code: string, user: string): Promise<string[]> {
  const token = await signIn(portal, code, user, `device-applications-${code}-${user}`);
  const { body } = await send(portal, 'GET', '/v1/user/files?per_page=100', { token });
  return (body['files'] as { name: string }[]).map(({ name }) => name);
}

const cases: readonly { language: Language; who: string; publisher: string; to: 'unit' | 'named' }[] = [
  { language: 'ja', who: 'other-unit@example.com', publisher: 'Other unit', to: 'unit' },
  { language: 'en', who: 'admin@example.com', publisher: texts.en.files.application.operator, to: 'named' },
];

describe.each(cases)('In the words of $language', ({ language, publisher, to, who }) => {
  const t = texts[language];
  const { applications, files, salesApplications, ui } = t;
  const name = `Viewer ${language}`;
  const offer = `Offer ${language}`;
  const named = (text: string, of = name) => text.replace('{{name}}', of);
  let page: Page;

  const heading = (text: string, of = page) =>
    of.getByRole('heading', { level: 1, name: text, exact: true }).waitFor();
  const press = (text: string, of = page) => of.getByRole('button', { name: text, exact: true }).click();
  const follow = (text: string, of = page) =>
    of.getByRole('link', { name: text, exact: true }).first().click();

  beforeAll(async () => {
    page = await portal.open({ language });
    await signInAdmin(page, who);
  });

  async function chooseDestination(): Promise<void> {
    if (to === 'unit') {
      await page.getByRole('radio', { name: applications.destinations.allOfUnit }).check();
      return;
    }
    await press(ui.toConfirm);
    await page.getByRole('alert').getByText(applications.partners).waitFor();
    await page.getByRole('combobox', { name: applications.partners }).fill('second');
    await page.getByRole('option', { name: 'Second Company' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Second Company' }).waitFor();
  }

  test('an administrator publishes an application to one unit; everyone there has it, and nobody else', async () => {
    const chosen = await makePackage(folder, `viewer-${language}.uap`, 9 * 1024 * 1024);
    await page.goto('/admin/applications');
    await heading(applications.title);
    await follow(applications.create);
    await heading(applications.create);
    await page.getByLabel(applications.name).fill(name);
    await page.getByLabel(applications.file, { exact: true }).setInputFiles(chosen.path);
    await chooseDestination();
    await press(ui.toConfirm);
    await heading(applications.confirm);
    await page.getByText(chosen.fileName).waitFor();
    await press(ui.create);
    await heading(applications.complete);
    await follow(applications.toRecord);
    await heading(name);
    await page.getByText(applications.statuses.published, { exact: true }).waitFor();

    await vi.waitFor(async () => expect(await delivered('2000', 'crew1')).toContain(name), {
      timeout: 5_000,
    });
    expect(await delivered('1000', 'taro')).not.toContain(name);
  });

  test('its companies see who publishes it, and cannot change it; others do not see it', async () => {
    const company = await portal.open({ language });
    await signInPartner(company, 'second@example.com', { code: '2000' });
    await company.goto('/partner/files');
    const row = company.getByRole('row').filter({ hasText: name });
    await row.getByText(files.application.publisher.replace('{{publisher}}', publisher)).waitFor();
    await row.getByText(files.application.delivery).waitFor();
    const action = (label: string) => ui.actionOn.replace('{{action}}', label).replace('{{name}}', name);
    expect(await row.getByRole('link', { name: `${ui.edit}: ${name}` }).count()).toBe(0);
    expect(await row.getByRole('button', { name: `${ui.delete}: ${name}` }).count()).toBe(0);
    expect(await row.getByRole('link', { name: action(files.assign) }).count()).toBe(0);

    const other = await portal.open({ language });
    await signInPartner(other);
    await other.goto('/partner/files');
    await heading(files.title, other);
    await other.getByText('Company handbook').waitFor();
    expect(await other.getByText(name).count()).toBe(0);
  });

  test('a sales app is offered: the company assigns it to its group', async () => {
    const chosen = await makePackage(folder, `offer-${language}.ufpz`, 20_000);
    await page.goto('/admin/sales-applications');
    await heading(salesApplications.title);
    await follow(salesApplications.create);
    await heading(salesApplications.create);
    await page.getByLabel(applications.name).fill(offer);
    await page.getByLabel(applications.file, { exact: true }).setInputFiles(chosen.path);
    await chooseDestination();
    await press(ui.toConfirm);
    await press(ui.create);
    await heading(salesApplications.complete);
    await follow(applications.toRecord);
    await page.getByText(applications.statuses.published, { exact: true }).waitFor();
    expect(await delivered('2000', 'crew1')).not.toContain(offer);

    const company = await portal.open({ language });
    await signInPartner(company, 'second@example.com', { code: '2000' });
    await company.goto('/partner/files');
    const row = company.getByRole('row').filter({ hasText: offer });
    await row.getByText(files.application.offer).waitFor();
    await follow(offer, company);
    await company.getByText(files.application.offeredBy.replace('{{publisher}}', publisher)).waitFor();
    await follow(files.assign, company);
    await company.getByRole('radio', { name: files.assignPage.kinds.groups }).check();
    await company.getByRole('checkbox', { name: 'Crew' }).check();
    await press(files.assignPage.submit, company);
    await company
      .getByRole('dialog')
      .getByRole('button', { name: files.assignPage.apply, exact: true })
      .click();
    await vi.waitFor(async () => expect(await delivered('2000', 'crew1')).toContain(offer), {
      timeout: 10_000,
    });
  });

  test('what is deleted is gone from the players', async () => {
    for (const [path, one] of [
      ['/admin/applications', name],
      ['/admin/sales-applications', offer],
    ] as const) {
      await page.goto(path);
      await page.getByRole('button', { name: `${ui.delete}: ${one}` }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(named(applications.deleteOne, one)).waitFor();
      await dialog.getByRole('button', { name: ui.delete, exact: true }).click();
      await page.getByRole('row').filter({ hasText: one }).waitFor({ state: 'detached' });
    }
    await vi.waitFor(
      async () =>
        expect((await delivered('2000', 'crew1')).filter((one) => [name, offer].includes(one))).toEqual([]),
      { timeout: 5_000 },
    );
  });
});
