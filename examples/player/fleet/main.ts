import { parseArgs } from 'node:util';
import { ApiError } from '@portal/api-client';
import { makeCompany } from './company.ts';
import { startFleet } from './fleet.ts';
import { summaryOf } from './summary.ts';

/**
 * A fleet of players, so that everything that the portal shows of deliveries can be seen moving: thousands of devices that sign in,
 * look for what is new, download it, tell what becomes of it, fail now and then, go offline and come back.
 */

const usage = `npm run fleet -- [options]

  --devices NUMBER   how many devices; default: 1000
  --code CODE        the partner code of the company that the fleet makes for itself; default: fleet
  --poll SECONDS     between two looks of a device at what is delivered; default: 30
  --install SECONDS  how long installing takes; default: 5
  --fail SHARE       installing fails on this share of devices, from 0 to 1; default: 0.02
  --offline SHARE    this share of devices is offline at any time, from 0 to 0.9; default: 0.05
  --url ADDRESS      the portal; default: http://localhost:8080
  --admin EMAIL      an administrator of the platform; default: admin@example.com
                     password: FLEET_ADMIN_PASSWORD, else that of the demo accounts

A file whose bytes begin with a line such as "fail 0.6" is a bad version: installing it fails on that share of devices.`;

const options = {
  devices: { type: 'string', default: '1000' },
  code: { type: 'string', default: 'fleet' },
  poll: { type: 'string', default: '30' },
  install: { type: 'string', default: '5' },
  fail: { type: 'string', default: '0.02' },
  offline: { type: 'string', default: '0.05' },
  url: { type: 'string', default: `http://localhost:${process.env.PORT ?? 8080}` },
  admin: { type: 'string', default: 'admin@example.com' },
} as const;

const demoPassword = 'Passw0rd-demo';
const everyMs = 1_000;
/** Where nobody looks at a terminal. */
const everyMsInLog = 10_000;

const values = readOptions();
const devices = numberOf('devices', { least: 1, most: 1_000_000 });
const second = 1_000;

try {
  const company = await makeCompany({
    url: values.url,
    administrator: { email: values.admin, password: process.env.FLEET_ADMIN_PASSWORD ?? demoPassword },
    code: values.code,
    password: demoPassword,
    devices,
    tell: (line) => console.log(line),
  });
  const fleet = startFleet(company, {
    url: values.url,
    devices,
    pollMs: numberOf('poll', { least: 0.1, most: 86_400 }) * second,
    installMs: numberOf('install', { least: 0, most: 3_600 }) * second,
    fail: numberOf('fail', { least: 0, most: 1 }),
    offline: numberOf('offline', { least: 0, most: 0.9 }),
  });
  console.log(`\nThe portal of the company: ${values.url}/partner/login/?partner_code=${company.code}`);
  console.log(`Its admins: ${company.admins.join(' and ')}, password ${company.password}`);
  console.log('Ctrl+C ends.\n');
  const stopShowing = showSummary(() => fleet.numbers);
  await new Promise<void>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, resolve);
  });
  stopShowing();
  await fleet.stop();
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.error(`${error.message} (${error.code})`);
  process.exitCode = 1;
}

/** Draws the summary again and again, in a terminal over the one before. */
function showSummary(read: () => ReturnType<typeof startFleet>['numbers']): () => void {
  const { stdout } = process;
  let before = { ...read() };
  let at = performance.now();
  let drawn = 0;
  const draw = () => {
    const numbers = read();
    const now = performance.now();
    const lines = summaryOf(numbers, { devices, before, seconds: (now - at) / second });
    if (stdout.isTTY && drawn > 0) stdout.write(`\u001b[${drawn}A\u001b[0J`);
    const width = stdout.isTTY ? stdout.columns : Infinity;
    stdout.write(`${lines.map((line) => line.slice(0, width)).join('\n')}\n`);
    drawn = lines.length;
    before = { ...numbers };
    at = now;
  };
  const timer = setInterval(draw, stdout.isTTY ? everyMs : everyMsInLog);
  return () => {
    clearInterval(timer);
    draw();
  };
}

function numberOf(
  name: 'devices' | 'fail' | 'install' | 'offline' | 'poll',
  { least, most }: { readonly least: number; readonly most: number },
): number {
  const value = Number(values[name]);
  if (!(value >= least && value <= most)) end(`--${name} is from ${least} to ${most}, not ${values[name]}`);
  return value;
}

function readOptions() {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return end(error instanceof Error ? error.message : String(error));
  }
}

function end(problem: string): never {
  console.error(`${problem}\n\n${usage}`);
  process.exit(2);
}
