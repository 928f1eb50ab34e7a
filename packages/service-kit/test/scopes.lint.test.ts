import { join } from 'node:path';
import { ESLint, Linter } from 'eslint';
import { expect, test } from 'vitest';

/** The lint rule that keeps what handles calls and events from seeing the rows of all tenants. */

const root = join(import.meta.dirname, '../../..');

/** The messages on a text, as if it stood in this file: of the rules about scopes, which need no types. */
async function refusals(file: string, text: string): Promise<readonly (string | null)[]> {
  const { languageOptions, rules } = await new ESLint({ cwd: root }).calculateConfigForFile(join(root, file));
  const about = ['no-restricted-imports', 'no-restricted-syntax'];
  const scoped: Linter.RulesRecord = Object.fromEntries(
    Object.entries<Linter.RuleEntry>(rules).filter(([name]) => about.includes(name)),
  );
  return new Linter()
    .verify(text, [{ languageOptions: { parser: languageOptions.parser }, rules: scoped }])
    .map(({ ruleId }) => ruleId);
}

const handlers = [
  'services/tenant/src/http/partners.routes.ts',
  'services/user/src/use-cases/create-user.ts',
  'services/batch/src/events/subscriptions.ts',
  'services/file/src/files/data/file-repository.ts',
];

test.each(handlers)('%s may not take the scope of the system', async (file) => {
  const taking = [
    `import { systemScope } from '@portal/service-kit';`,
    `import { ofPartner, systemScope as all } from '@portal/service-kit';`,
    `import { enterScope } from '@portal/database';`,
  ];
  for (const text of taking) expect(await refusals(file, text)).toEqual(['no-restricted-imports']);
  const made = `export const all = { kind: 'system', why: 'I would like to' };`;
  expect(await refusals(file, made)).toEqual(['no-restricted-syntax']);
  expect(await refusals(file, `import { ofPartner } from '@portal/service-kit';`)).toEqual([]);
});

test('What starts a service may', async () => {
  const text = `import { systemScope } from '@portal/service-kit';`;
  expect(await refusals('services/identity/src/service.ts', text)).toEqual([]);
});
