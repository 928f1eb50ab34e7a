import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { audit } from './audit.ts';

/** `npm run audit`: known vulnerabilities of what the lock file names. It fails when production has one. */

const lockFile = await readFile(join(import.meta.dirname, '..', '..', 'pnpm-lock.yaml'), 'utf8');
const { failed, lines } = await audit(lockFile, 'https://api.osv.dev');
for (const line of lines) console.log(line);
process.exitCode = failed ? 1 : 0;
