import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Access, type FieldMessageKey, fieldMessages, staysOpen } from '@portal/contracts';
import { allRoutes } from '@portal/contracts/catalogue';
import { prepareSchemathesis, type Schemathesis } from '@portal/testing/engines';
import { signIn, signInAdmin } from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/**
 * The OpenAPI document says all that a call takes, refuses and answers: schemathesis, which knows nothing else, makes calls
 * from it, valid and invalid ones, and compares the answers with it. `OPENAPI_SEED` makes other calls.
 */

const seed = process.env.OPENAPI_SEED ?? '20261123';
const examples = 5;
const withinMs = 600_000;
const settings = join(import.meta.dirname, 'openapi');

/** Rules about the form of one field, which the document states. */
const formRules: readonly FieldMessageKey[] = [
  'required',
  'invalidType',
  'invalidValue',
  'tooLong',
  'outOfRange',
  'controlCharacter',
  'email',
  'password8char',
  'invaliduserid',
  'invalidjson',
  'fileName',
  'fileExtension',
  'csvExtension',
  'fileEmpty',
  'fileTooLarge',
];
const formMessages = formRules.map((rule) =>
  fieldMessages[rule].en.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+'),
);

let schemathesis: Schemathesis | undefined;
let missing = '';
let product: Product;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'portal-openapi-'));
  schemathesis = await prepareSchemathesis().catch((error: unknown) => {
    missing = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return undefined;
  });
  if (schemathesis) product = await startProduct({ LOG_LEVEL: 'error' });
});
afterAll(async () => {
  await product?.remove();
  await rm(directory, { recursive: true, force: true });
});

/** The player first: the others may delete them. The administrator after the company admin, whose password they may change. */
const actors: readonly {
  readonly name: string;
  readonly token: () => Promise<string> | undefined;
  readonly calls: readonly Access['kind'][];
}[] = [
  {
    name: 'player',
    token: () => signIn(product, '1000', 'taro', 'openapi-device'),
    calls: ['player', 'tenant', 'anyToken'],
  },
  {
    name: 'company admin',
    token: () => signIn(product, '1000', 'partner@example.com'),
    calls: ['partner', 'tenant', 'anyToken'],
  },
  { name: 'administrator', token: () => signInAdmin(product), calls: ['admin', 'anyToken'] },
  { name: 'nobody', token: () => undefined, calls: ['public', 'apiKey'] },
];

describe('Schemathesis finds nothing in the OpenAPI document', () => {
  test.for(actors)('as $name', { timeout: withinMs }, async ({ calls, name, token }, context) => {
    const program = schemathesis;
    if (!program) return context.skip(`schemathesis is not there: ${missing}`);
    const authorization = await token();
    // Who signs out makes no more calls, and a stream of events does not end.
    const operations = allRoutes
      .filter((route) => !staysOpen(route))
      .filter(({ access }) => access.some(({ kind }) => calls.includes(kind)))
      .map(({ id }) => id)
      .filter((id) => !id.endsWith('Logout'));
    const report = join(directory, `${name}.json`);
    const output = await run(program, [
      ...[
        '--config-file',
        join(settings, 'schemathesis.toml'),
        '--no-color',
        'run',
        `${product.url}/openapi.json`,
      ],
      ...['--header', 'Accept-Language: en'],
      ...(authorization === undefined ? [] : ['--header', `Authorization: Bearer ${authorization}`]),
      ...operations.flatMap((id) => ['--include-operation-id', id]),
      ...['--phases', 'examples,coverage,fuzzing', '--max-examples', String(examples)],
      // A text of several patterns (a password, a file name) is found by trying: some seeds try in vain for long, which says
      // nothing about the document.
      ...['--suppress-health-check', 'filter_too_much,too_slow'],
      ...['--seed', seed, '--generation-database', 'none', '--report', 'json', '--report-json-path', report],
    ]);
    expect(output.code, output.text).toBe(0);
    console.log(
      `As ${name}, with OPENAPI_SEED=${seed}: ${output.text.split('\n').find((line) => line.includes(' generated, '))}`,
    );
  });
});

async function run(
  { args, env, program }: Schemathesis,
  own: readonly string[],
): Promise<{ code: number | null; text: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args, ...own], {
      // It leaves files there.
      cwd: directory,
      env: {
        ...process.env,
        ...env,
        PYTHONDONTWRITEBYTECODE: '1',
        SCHEMATHESIS_HOOKS: join(settings, 'hooks.py'),
        FORM_MESSAGES: JSON.stringify(formMessages),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: withinMs,
    });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, text: Buffer.concat(chunks).toString() }));
  });
}
