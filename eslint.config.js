import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

// Biome formats and lints everything else; here stand the rules that it lacks: promises kept, which needs types, and
// regular expressions whose time grows faster than their text, whoever sent that.
export default tseslint.config(
  { ignores: ['**/dist/**', '**/generated/**', '**/node_modules/**'] },
  {
    files: ['**/*.{ts,tsx,js,mjs,cjs}'],
    languageOptions: { parser: tseslint.parser },
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: false }],
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: {
        // By name: the service that finds them by itself takes a quarter longer.
        project: ['./tsconfig.json', './web/tsconfig.json', './e2e/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { '@typescript-eslint': tseslint.plugin },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/prefer-promise-reject-errors': 'error',
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    // Where a module of a page waits at its top level, WebKit hands out those that import it before they have run, when two ask for
    // them at the same moment: https://bugs.webkit.org/show_bug.cgi?id=242740
    files: ['web/src/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            ':matches(Program > ExpressionStatement, Program > VariableDeclaration > VariableDeclarator, ExportNamedDeclaration > VariableDeclaration > VariableDeclarator) > AwaitExpression',
          message: 'Wait within a function.',
        },
      ],
    },
  },
  {
    // What handles calls and events is given its scope: by the caller, the event or the job. Nothing else lets it see the rows
    // of all tenants.
    files: ['{services,examples}/*/src/{,*/}{http,use-cases,events,data,domain}/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          name: '@portal/service-kit',
          importNames: ['systemScope'],
          message: 'Use the scope of the call or of the job.',
        },
        {
          name: '@portal/database',
          importNames: ['createDatabase', 'enterScope'],
          message: 'Use the store.',
        },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "Property[key.name='kind'][value.value='system']",
          message: 'Use the scope of the call or of the job.',
        },
      ],
    },
  },
  {
    files: ['web/src/**/*.{ts,tsx}'],
    ignores: ['web/src/lib/use-action.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { name: '@tanstack/react-query', importNames: ['useMutation'], message: 'Use lib/use-action.ts.' },
      ],
    },
  },
);
