import { expect, test } from 'vitest';
import { signInAdmin, signInPartner } from '../support/people.ts';
import { portalForSpec } from '../support/spec.ts';

/** Each screen is looked at for this by the tests of screens; here is what happens on the way, and that anything would be seen. */

const portal = portalForSpec();

test.for([
  ['/partner/login/', undefined],
  ['/partner/menu', signInPartner],
  ['/admin/menu', signInAdmin],
] as const)(
  'Loading %s leaves neither an error nor a refusal of the Content-Security-Policy',
  async ([path, signIn]) => {
    const { errors, page } = await portal.visit();
    await signIn?.(page);
    for (let load = 0; load < 2; load += 1) {
      await page.goto(path);
      await page.locator('h1').waitFor();
    }
    expect(errors).toEqual([]);
  },
);

test('What the Content-Security-Policy refuses is seen', async () => {
  const { errors, page } = await portal.visit();
  await page.goto('/partner/login/');
  await page.locator('h1').waitFor();
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.text = 'window.ran = true';
    document.head.append(script);
  });
  await expect
    .poll(() => errors.filter((error) => error.startsWith('Content-Security-Policy')))
    .toHaveLength(1);
});
