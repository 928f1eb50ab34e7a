import type { Language } from '@portal/contracts';
import type { Page } from 'playwright-core';
import type { texts } from './texts.ts';

interface SignUpEntries {
  /** Not given: it stands there already. */
  readonly email?: string;
  readonly companyName: string;
  /** Where the form asks for one. */
  readonly password: string;
}

/** Fills in the form of a sign-up that is open. */
export async function fillInSignUp(
  page: Page,
  { signUp: t }: (typeof texts)[Language],
  { companyName, email, password }: SignUpEntries,
): Promise<void> {
  await page.locator('input[autocomplete=family-name]').fill('山田');
  await page.locator('input[autocomplete=given-name]').fill('花子');
  if (email !== undefined) await page.getByRole('textbox', { name: t.email }).fill(email);
  for (const field of await page.locator('input[type=password]').all()) await field.fill(password);
  await page.locator('input[autocomplete=organization]').fill(companyName);
  await page.getByRole('textbox', { name: t.tel }).fill('03-1234-5678');
  await page.getByRole('radio', { name: t.purposes.in_house }).check();
  await page.getByRole('checkbox', { name: t.agreedToTerms }).check();
}
