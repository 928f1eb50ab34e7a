import { dirname, join, resolve } from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';

/**
 * Types, and the rules of eslint.config.js that need them, of one project: `check-types.ts <tsconfig.json> <paths>`, with
 * `--except <paths>` for what others check. One after the other they would work out the same types twice, which is most of
 * what either does.
 */

const root = join(import.meta.dirname, '..');
const [project = '', ...rest] = process.argv.slice(2);
const exceptAt = rest.indexOf('--except');
const paths = exceptAt < 0 ? rest : rest.slice(0, exceptAt);
const except = exceptAt < 0 ? [] : rest.slice(exceptAt + 1);

const program = readProgram(resolve(root, project));
const eslint = new ESLint({
  cwd: root,
  overrideConfig: [
    { ignores: except.map((path) => `${path}/**`) },
    {
      files: ['**/*.{ts,tsx}'],
      // A file that the project does not include is an error then.
      languageOptions: { parserOptions: { project: null, programs: [program] } },
    },
  ],
});
const results = await eslint.lintFiles(paths);
const formatter = await eslint.loadFormatter('stylish');
const told = await formatter.format(results);
if (told) console.log(told);

const diagnostics = ts.getPreEmitDiagnostics(program);
const host = {
  getCanonicalFileName: (name: string) => name,
  getCurrentDirectory: () => root,
  getNewLine: () => '\n',
};
if (diagnostics.length > 0) console.log(ts.formatDiagnostics(diagnostics, host));

const isClean = results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0);
process.exitCode = isClean && results.length > 0 && diagnostics.length === 0 ? 0 : 1;

/** With the options of the project and nothing else, as `tsc -p` reads it. */
function readProgram(path: string): ts.Program {
  const { config, error } = ts.readConfigFile(path, ts.sys.readFile);
  const { errors, fileNames, options } = ts.parseJsonConfigFileContent(
    config,
    ts.sys,
    dirname(path),
    {},
    path,
  );
  return ts.createProgram({
    rootNames: fileNames,
    options,
    // The rules walk upwards as well.
    host: ts.createCompilerHost(options, true),
    configFileParsingDiagnostics: error ? [error] : errors,
  });
}
