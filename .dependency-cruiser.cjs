// The layers of docs/architecture.md, held by a tool: imports point one way.
const services = '^(?:services/(?!embedded)|examples/)([^/]+)/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'contracts-depend-on-nothing',
      severity: 'error',
      from: { path: '^packages/contracts/src' },
      to: { path: '^(packages/(?!contracts)|services|web)' },
    },
    {
      name: 'kernel-knows-contracts-alone',
      severity: 'error',
      from: { path: '^packages/kernel/src' },
      to: { path: '^(packages/(?!kernel|contracts)|services|web)' },
    },
    {
      name: 'ports-know-no-other-port',
      severity: 'error',
      from: { path: '^packages/(messaging|storage|database)/src' },
      to: { path: '^(packages/(?!$1|kernel|contracts)|services|web)' },
    },
    {
      name: 'kit-knows-nothing-of-the-product',
      severity: 'error',
      from: { path: '^packages/service-kit/src' },
      to: { path: '^packages/(accounts|csv-export|mail-requests)/' },
    },
    {
      name: 'packages-know-no-service',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(services|examples|web)/' },
    },
    {
      name: 'services-never-import-each-other',
      severity: 'error',
      from: { path: services },
      to: { path: '^(services|examples)/', pathNot: '^(services|examples)/$1/' },
    },
    {
      name: 'only-data-knows-prisma',
      severity: 'error',
      from: {
        path: '^(services|examples)/[^/]+/src',
        pathNot: '^(services|examples)/[^/]+/src/(data/|[a-z-]+/data/|service\\.ts$)',
      },
      to: { path: '(@prisma/|src/data/generated/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      from: { path: '^(services|examples)/[^/]+/src/(domain|[a-z-]+/domain)/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^(packages/(?!contracts|kernel)|(services|examples)/[^/]+/src/(?!domain/|[a-z-]+/domain/))',
      },
    },
    {
      name: 'web-sees-contracts-and-client-alone',
      severity: 'error',
      from: { path: '^web/src' },
      to: { path: '^(packages/(?!contracts|api-client)|services)' },
    },
    // Of the web client: app → features → components → ui → lib.
    {
      name: 'features-never-import-each-other',
      severity: 'error',
      from: { path: '^web/src/features/((?:admin|partner)/[^/]+|[^/]+)/' },
      to: { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
    },
    {
      name: 'features-know-no-app',
      severity: 'error',
      from: { path: '^web/src/features/' },
      to: { path: '^web/src/app/' },
    },
    {
      name: 'components-know-no-screen',
      severity: 'error',
      from: { path: '^web/src/components/' },
      to: { path: '^web/src/(features|app)/' },
    },
    {
      name: 'ui-knows-no-product',
      severity: 'error',
      from: { path: '^web/src/ui/' },
      to: { path: '^web/src/(components|features|app)/' },
    },
    {
      name: 'lib-draws-nothing',
      severity: 'error',
      from: { path: '^web/src/lib/' },
      to: { path: '^web/src/(ui|components|features|app)/' },
    },
    {
      name: 'no-tests-in-production',
      severity: 'error',
      from: {
        pathNot: '(\\.test\\.tsx?$|/test/|^packages/testing|contract-suite|^e2e|^bench|vitest|^scripts)',
      },
      to: { path: '(^packages/testing|\\.test\\.tsx?$)' },
    },
  ],
  options: {
    // Not read, but known to be imported: rules name them.
    doNotFollow: { path: '(node_modules|/generated/)' },
    exclude: { path: '/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
  },
};
