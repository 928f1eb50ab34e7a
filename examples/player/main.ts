import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ApiError } from '@portal/api-client';
import { pushServices } from '@portal/contracts';
import { downloadFile } from './download.ts';
import { openLibrary } from './library.ts';
import { type Credentials, connectPlayer, playerAgent } from './player.ts';
import { newPushToken, receivePushes } from './push.ts';
import { createReceipts, silent } from './receipts.ts';
import { openBrowser, SsoRefused, signInBySso } from './sso.ts';

/**
 * A small player: signs in, lists the files that are delivered to its user now, removes those that are no longer delivered,
 * downloads the others with resume, and verifies them; with `--push` it gets push notifications, with `--sso` it signs in at the
 * identity provider of the company. It shows integrators every call of a player.
 */

const usage = `npm run player -- --code 1000 --user taro [options]
npm run player -- --code 1000 --sso [options]

  --code CODE        the company's partner code
  --user ID          login user id or e-mail address
  --sso              instead: signs in at the identity provider of the company, in the browser
  --no-browser       with --sso: prints the address alone, and opens nothing
  --password TEXT    the password; default: PLAYER_PASSWORD, else that of the demo accounts
  --url ADDRESS      the portal; default: http://localhost:8080
  --out FOLDER       where files go, each into a folder with its id; default: downloads/<code>-<user>
  --device UUID      the device; default: one made from this user and folder
  --list             list only, download nothing
  --no-receipts      does not tell the portal what becomes of files
  --fail SHARE       says of this share of new files, from 0 to 1, that installing them failed
  --push SERVICE     fcm or apns: registers for push notifications of the demo, and prints what arrives until Ctrl+C
  --push-token TEXT  the push token; default: a new one`;

const options = {
  code: { type: 'string' },
  user: { type: 'string' },
  sso: { type: 'boolean', default: false },
  'no-browser': { type: 'boolean', default: false },
  password: { type: 'string' },
  url: { type: 'string', default: `http://localhost:${process.env.PORT ?? 8080}` },
  out: { type: 'string' },
  device: { type: 'string' },
  list: { type: 'boolean', default: false },
  'no-receipts': { type: 'boolean', default: false },
  fail: { type: 'string', default: '0' },
  push: { type: 'string' },
  'push-token': { type: 'string' },
} as const;

const values = readOptions();
const { code } = values;
if (!code || values.sso === (values.user !== undefined)) end();
const user = values.user ?? 'sso';
const service = pushServices.find((name) => name === values.push);
if (values.push !== undefined && !service) end(`--push is ${pushServices.join(' or ')}, not ${values.push}`);

const failing = Number(values.fail);
if (!(failing >= 0 && failing <= 1)) end(`--fail is from 0 to 1, not ${values.fail}`);

const folder = values.out ?? `downloads/${code}-${user.replace(/[^\w-]/g, '_')}`;
const device = values.device ?? createHash('sha256').update(`${user} ${folder}`).digest('hex').slice(0, 32);

try {
  const player = await connectPlayer({
    url: values.url,
    ...(await credentialsOf(code)),
    device,
  });
  console.log(`Signed in as ${player.userName} of ${player.partnerName}.`);
  const push = service && { service, token: values['push-token'] ?? newPushToken(service) };
  if (push) await player.registerPush(push);
  const { files } = await player.listFiles();
  const receipts = values['no-receipts'] ? silent : createReceipts(player);
  const library = values.list ? undefined : await openLibrary(folder);
  // Before the downloads, which may need the room.
  for (const gone of (await library?.removeOthers(files)) ?? []) {
    await receipts.tell(gone, 'removed');
    console.log(`Removed, for it is not delivered any more: ${gone.fileName}`);
  }
  console.log(files.length === 0 ? 'Nothing is delivered at this moment.' : `${files.length} delivered:`);
  for (const file of files) {
    console.log(`  ${file.name} (${file.fileName}, version ${file.version}, ${file.fileSize} bytes)`);
    if (!library) continue;
    if (library.has(file)) {
      console.log('    there already');
      continue;
    }
    if (file.downloadAfter > 0) {
      console.log(`    waits ${file.downloadAfter} s, since many get it at once`);
      await sleep(file.downloadAfter * 1_000);
    }
    const opened = await player.openFile(file.id);
    await receipts.tell(opened, 'downloading');
    const { path, resumedAt } = await downloadFile(opened, folder).catch(async (error: unknown) => {
      await receipts.tell(opened, 'failed', {
        reason: error instanceof Error ? error.message : String(error),
      });
      throw error;
    });
    await receipts.tell(opened, 'downloaded');
    // A real player unpacks the package here, which may fail; the next run tries again.
    const installs = Math.random() >= failing;
    if (installs) await library.keep(opened);
    await receipts.tell(
      opened,
      installs ? 'installed' : 'failed',
      installs ? {} : { reason: 'The package could not be unpacked' },
    );
    const how = resumedAt > 0 ? `resumed at ${resumedAt}` : 'downloaded';
    console.log(`    ${how}, SHA-256 verified: ${path}`);
    if (!installs) console.log('    installing it failed, as --fail asks');
  }
  if (push) {
    console.log(`Waiting for push notifications by ${push.service}, as ${push.token}; Ctrl+C ends.`);
    for await (const { json, message, title } of receivePushes(values.url, push.token, untilStopped())) {
      console.log(title === null ? `Push: ${message}` : `Push: ${title} / ${message}`);
      if (json !== null) console.log(`  json: ${json}`);
    }
  }
  await player.signOut();
} catch (error) {
  if (error instanceof SsoRefused) console.error(error.message);
  else if (error instanceof ApiError) console.error(`${error.message} (${error.code})`);
  else throw error;
  process.exitCode = 1;
}

async function credentialsOf(partnerCode: string): Promise<Credentials> {
  if (!values.sso) {
    const password = values.password ?? process.env.PLAYER_PASSWORD ?? 'Passw0rd-demo';
    return { partnerCode, user, password };
  }
  return signInBySso({
    url: values.url,
    partnerCode,
    agent: playerAgent,
    show(address) {
      console.log(`Sign in in the browser:\n${address}`);
      if (!values['no-browser']) openBrowser(address);
    },
  });
}

function untilStopped(): AbortSignal {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
  return stopping.signal;
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
