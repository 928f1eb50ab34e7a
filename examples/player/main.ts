import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { ApiError } from '@portal/api-client';
import { downloadFile } from './download.ts';
import { connectPlayer } from './player.ts';

/**
 * A small player: signs in, lists the files that are delivered to its user now, downloads them with resume, verifies them,
 * and removes files that are no longer delivered. It shows integrators every call of a player.
 */

const usage = `npm run player -- --code 1000 --user taro [options]

  --code CODE        the company's partner code
  --user ID          login user id or e-mail address
  --password TEXT    the password; default: PLAYER_PASSWORD, else that of the demo accounts
  --url ADDRESS      the portal; default: http://localhost:8080
  --out FOLDER       where files go; default: downloads/<code>-<user>
  --device UUID      the device; default: one made from this user and folder
  --list             list only, download nothing`;

const options = {
  code: { type: 'string' },
  user: { type: 'string' },
  password: { type: 'string' },
  url: { type: 'string', default: `http://localhost:${process.env.PORT ?? 8080}` },
  out: { type: 'string' },
  device: { type: 'string' },
  list: { type: 'boolean', default: false },
} as const;

const values = readOptions();
if (!values.code || !values.user) end();

const folder = values.out ?? `downloads/${values.code}-${values.user.replace(/[^\w-]/g, '_')}`;
const device =
  values.device ?? createHash('sha256').update(`${values.user} ${folder}`).digest('hex').slice(0, 32);

try {
  const player = await connectPlayer({
    url: values.url,
    partnerCode: values.code,
    user: values.user,
    password: values.password ?? process.env.PLAYER_PASSWORD ?? 'Passw0rd-demo',
    device,
  });
  console.log(`Signed in as ${player.userName} of ${player.partnerName}.`);
  const { files } = await player.listFiles();
  console.log(files.length === 0 ? 'Nothing is delivered at this moment.' : `${files.length} delivered:`);
  for (const file of files) {
    console.log(`  ${file.name} (${file.fileName}, version ${file.version}, ${file.fileSize} bytes)`);
    if (values.list) continue;
    const { path, resumedAt } = await downloadFile(await player.openFile(file.id), folder);
    const how = resumedAt > 0 ? `resumed at ${resumedAt}` : 'downloaded';
    console.log(`    ${how}, SHA-256 verified: ${path}`);
  }
  await player.signOut();
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.error(`${error.message} (${error.code})`);
  process.exitCode = 1;
}

function readOptions() {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return end(error instanceof Error ? error.message : String(error));
  }
}

function end(problem?: string): never {
  if (problem) console.error(`${problem}\n`);
  console.error(usage);
  process.exit(2);
}
