// The layers of docs/architecture.md, held by a tool: imports point one way.
const services = '^services/(?!embedded)([^/]+)/';

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
      name: 'packages-know-no-service',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(services|web)/' },
    },
    {
      name: 'services-never-import-each-other',
      severity: 'error',
      from: { path: services },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'only-data-knows-prisma',
      severity: 'error',
      from: { path: '^services/[^/]+/src', pathNot: '^services/[^/]+/src/(data/|service\\.ts$)' },
      to: { path: '(@prisma/|src/data/generated/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      from: { path: '^services/[^/]+/src/domain/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(packages/(?!contracts|kernel)|services/[^/]+/src/(?!domain))' },
    },
    {
      name: 'web-sees-contracts-and-client-alone',
      severity: 'error',
      from: { path: '^web/src' },
      to: { path: '^(packages/(?!contracts|api-client)|services)' },
    },
    {
      name: 'ui-knows-no-product',
      severity: 'error',
      from: { path: '^web/src/ui' },
      to: { path: '^web/src/(features|app)' },
    },
    {
      name: 'features-know-no-app',
      severity: 'error',
      from: { path: '^web/src/features' },
      to: { path: '^web/src/app' },
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
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(node_modules|/dist/|/generated/)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
  },
};
